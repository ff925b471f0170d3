/** A mutant that no test can kill, because the code behaves the same with it. */
export interface Equivalent {
  readonly file: string;
  /** The line that it begins in, without the spaces around it. */
  readonly text: string;
  readonly original: string;
  readonly replacement: string;
  readonly why: string;
}
