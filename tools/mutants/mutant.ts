/** One safety mechanism, broken: a test has to notice. */
export interface Mutant {
  /** As `npm run mutants -- NAME` takes it. */
  readonly name: string;
  /** What the mechanism promises. */
  readonly mechanism: string;
  /** From the root of the repository. */
  readonly file: string;
  /** Stands once in the file. */
  readonly original: string;
  readonly broken: string;
  /** Patterns of the test files that must notice, as jest takes them. */
  readonly tests: readonly string[];
  /** Pattern of the names of the tests in them that must notice; all by default. */
  readonly named?: string;
}

/**
 * The file's text with the mechanism broken.
 * @throws Error where the original stands there not at all, or more than once.
 */
export const breakMechanism = ({ name, original, broken }: Mutant, text: string): string => {
  const parts = text.split(original);
  if (parts.length !== 2)
    throw new Error(`mutant ${name} does not apply: ${parts.length - 1} places match`);
  return parts.join(broken);
};
