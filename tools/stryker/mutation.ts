import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One change that Stryker made to an expression, and what became of it. */
export interface Mutation {
  /** From the root of the repository. */
  readonly file: string;
  readonly line: number;
  /** The line's text, without the spaces around it. */
  readonly text: string;
  /** The source that was replaced. */
  readonly original: string;
  readonly replacement: string;
  readonly status: string;
}

/** As much of Stryker's result as is read here; its lines and columns begin at 1. */
interface MutantResult {
  readonly location: {
    readonly start: { readonly line: number; readonly column: number };
    readonly end: { readonly line: number; readonly column: number };
  };
  readonly replacement?: string | undefined;
  readonly status: string;
}

export const mutationOf = (
  { location: { start, end }, replacement = '', status }: MutantResult,
  file: string,
  root: string,
): Mutation => {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  const touched = lines.slice(start.line - 1, end.line);
  const inner = touched.join('\n');
  const original = inner.slice(
    start.column - 1,
    inner.length - (touched.at(-1)!.length - (end.column - 1)),
  );
  const text = lines[start.line - 1]!.trim();
  return { file, line: start.line, text, original, replacement, status };
};

/** Survived: all tests passed, or no test executes the line. Errors of the mutant count as nothing. */
export const survived = ({ status }: Mutation): boolean =>
  status === 'Survived' || status === 'NoCoverage';

/** Killed: a test failed, or the tests did not end in time. */
export const killed = ({ status }: Mutation): boolean =>
  status === 'Killed' || status === 'Timeout';
