import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const programMaxMs = 120_000;

/** A path from the root of the repository. */
export const fromRoot = (path: string): string =>
  fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Runs a program. @returns what it printed. @throws Error with its output if it fails. */
export const run = (cwd: string, program: string, ...words: readonly string[]): string => {
  const options = { cwd, encoding: 'utf8', timeout: programMaxMs } as const;
  const { status, stdout, stderr, error } = spawnSync(program, words, options);
  if (error) throw new Error(`${program}: ${error.message}`);
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stdout}${stderr}`);
  return stdout;
};
