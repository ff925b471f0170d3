/** Returns the link that calls a number, as a person has written it. */
export const telephoneUrl = (telephone: string): string =>
  `tel:${telephone.replace(/[^+\d]/g, '')}`;
