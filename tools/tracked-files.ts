import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Returns the files that git tracks, and those that it would, unless they are deleted by now. */
export const trackedFiles = (): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
    .toString()
    .split('\0')
    .filter((path) => path !== '' && existsSync(path));

/** Returns what is wrong with the paths that a rule lists: those that are no tracked file. */
export const missingFiles = (listed: readonly string[], tracked: readonly string[]): string[] =>
  listed
    .filter((path) => !tracked.includes(path))
    .map((path) => `${path}: a rule lists it, and it does not exist`);
