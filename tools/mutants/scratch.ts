import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A copy of the checkout, files that are not committed included. Its files are hard links: one is
 * replaced, never written into.
 */
export const makeScratch = (root: string) => {
  const dir = join(mkdtempSync(join(tmpdir(), 'mutants-')), 'checkout');
  execFileSync('cp', ['-al', root, dir]);
  const replace = (file: string, text: string): void => {
    const path = join(dir, file);
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  };
  return {
    dir,
    read: (file: string): string => readFileSync(join(dir, file), 'utf8'),
    replace,
    remove: (): void => rmSync(join(dir, '..'), { recursive: true, force: true }),
  };
};
