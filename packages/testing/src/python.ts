import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));
const installMaxMs = 240_000;

/**
 * A Python with packages of others, to compare with; made on the first call by this machine's
 * python3 and kept where npm keeps its caches.
 * @param packages each with its version: `moto==5.2.5`.
 * @returns its program (others are started by `-m`), or null where it cannot be had, after saying why: the tests
 * that need it are then counted as skipped.
 */
export const pythonWith = (packages: readonly string[]): string | null => {
  const name = `python-${packages.join('-').replace(/[^\w.]+/g, '-')}`;
  const folder = join(cache, name);
  mkdirSync(cache, { recursive: true });
  // made beside its place and moved there when it is whole: another test may do the same
  const made = mkdtempSync(`${folder}-`);
  try {
    if (existsSync(folder)) return join(folder, 'bin/python');
    const limits = { timeout: installMaxMs, stdio: 'pipe' } as const;
    execFileSync('python3', ['-m', 'venv', made], limits);
    execFileSync(join(made, 'bin/python'), ['-m', 'pip', 'install', '-q', ...packages], limits);
    renameSync(made, folder);
    return join(folder, 'bin/python');
  } catch (error) {
    if (existsSync(folder)) return join(folder, 'bin/python');
    process.stderr.write(
      `\n*** TESTS WILL BE SKIPPED: no python3 with venv and ${packages.join(', ')}: ${(error as Error).message}\n\n`,
    );
    return null;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
};
