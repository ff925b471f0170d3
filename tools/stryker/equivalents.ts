import type { Mutation } from './mutation.ts';

/** A mutant that no test can kill, because the code behaves the same with it. */
export interface Equivalent {
  readonly file: string;
  /** The line that it begins in, without the spaces around it. */
  readonly text: string;
  readonly original: string;
  readonly replacement: string;
  readonly why: string;
}

export const equivalents: readonly Equivalent[] = [];

export const isEquivalent = (mutation: Mutation): boolean =>
  equivalents.some((one) =>
    (['file', 'text', 'original', 'replacement'] as const).every(
      (part) => one[part] === mutation[part],
    ),
  );
