import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Returns the files that git tracks, and those that it would, unless they are deleted by now. */
export const trackedFiles = (): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
    .toString()
    .split('\0')
    .filter((path) => path !== '' && existsSync(path));
