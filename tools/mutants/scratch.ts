import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { breakMechanism, type Mutant } from './mutant.ts';

/**
 * A copy of the checkout, files that are not committed included, without the state of processes
 * that run in it (`.local*`). Its files are hard links: one is replaced, never written into.
 */
export const makeScratch = (root: string) => {
  const dir = join(mkdtempSync(join(tmpdir(), 'mutants-')), 'checkout');
  mkdirSync(dir);
  const names = readdirSync(root).filter((name) => !name.startsWith('.local'));
  execFileSync('cp', ['-al', ...names.map((name) => join(root, name)), dir]);
  const replace = (file: string, text: string): void => {
    const path = join(dir, file);
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  };
  return {
    dir,
    /** Breaks the mechanism, does the work, and sets the file right again. */
    whileBroken: async <T>(mutant: Mutant, work: () => Promise<T>): Promise<T> => {
      const original = readFileSync(join(dir, mutant.file), 'utf8');
      replace(mutant.file, breakMechanism(mutant, original));
      try {
        return await work();
      } finally {
        replace(mutant.file, original);
      }
    },
    remove: (): void => rmSync(join(dir, '..'), { recursive: true, force: true }),
  };
};

export type Scratch = ReturnType<typeof makeScratch>;
