/** Chance that can be had again: the same seed gives the same choices (mulberry32). */
export interface Chance {
  /** 0 up to, and without, `below`. */
  below(below: number): number;
  of<T>(choices: readonly T[]): T;
  /** True once in `n` times. */
  oneIn(n: number): boolean;
  bytes(length: number): Buffer;
}

export const chanceOf = (seed: number): Chance => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number) => Math.floor(next() * n);
  return {
    below,
    of: (choices) => choices[below(choices.length)]!,
    oneIn: (n) => below(n) === 0,
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
};
