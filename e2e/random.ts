/** What is drawn from a seed's sequence of numbers. */
export type Random = () => number;
export const below = (random: Random, n: number): number => Math.floor(random() * n);
export const pick = <T>(random: Random, from: readonly T[]): T => from[below(random, from.length)]!;

/** Numbers from 0 up to, but not including, 1; the same for the same seed (mulberry32). */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Draws an item in proportion to its weight. */
export const weighted = <T>(
  random: Random,
  table: readonly (readonly [weight: number, item: T])[],
): T => {
  let rest = random() * table.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, item] of table) {
    rest -= weight;
    if (rest < 0) return item;
  }
  return table.at(-1)![1];
};
