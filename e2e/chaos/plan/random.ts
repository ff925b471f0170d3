/** What is drawn from a seed's sequence of numbers. */
export type Random = () => number;
export const below = (random: Random, n: number): number => Math.floor(random() * n);
export const pick = <T>(random: Random, from: readonly T[]): T => from[below(random, from.length)]!;

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
