/**
 * Returns the pause in ms after a number of consecutive failures (from 1). The pause is `firstMs`
 * after one failure, doubles with each further failure up to `mostMs`, and is then varied at random
 * by ±20 %, so it can exceed `mostMs` by 20 %.
 */
export const backoffMs = (failures: number, { firstMs = 100, mostMs = 1000 } = {}): number => {
  const pause = Math.min(mostMs, firstMs * 2 ** Math.min(failures - 1, 30));
  return Math.round(pause * (0.8 + Math.random() * 0.4));
};
