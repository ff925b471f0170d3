/** Returns an id as lists show it. Ids of one moment begin alike, so the end is shown, too. */
export const shortId = (id: string): string => `${id.slice(0, 8)}…${id.slice(-4)}`;
