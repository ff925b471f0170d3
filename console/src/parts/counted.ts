/** Returns a number with its noun, such as `1 order` or `3 orders`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;
