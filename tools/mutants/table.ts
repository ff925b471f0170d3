import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutant.ts';

const root = join(import.meta.dirname, '..', '..');
const files = globSync(['*/*/test/mutants.ts', '*/test/mutants.ts'], { cwd: root });
const tables = await Promise.all(
  files.map(async (file) => (await import(join(root, file))) as { mutants: readonly Mutant[] }),
);

/** The mutants of all workspaces; each stands beside the tests that must notice it. */
export const mutants: readonly Mutant[] = tables.flatMap((table) => table.mutants);
