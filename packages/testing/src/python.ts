import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A Python with implementations of others, by this machine's python3 and its package index; kept
 * where npm keeps its caches.
 * @param packages pinned: `rfc8785==0.1.4`.
 * @returns its path; null where it cannot be had: that is told, and the tests are to be skipped.
 */
export const pythonWith = (...packages: readonly string[]): string | null => {
  if (spawnSync('python3', ['-c', 'import venv, ensurepip']).status !== 0) {
    process.stderr.write('\n*** TESTS WILL BE SKIPPED: there is no python3 with venv\n\n');
    return null;
  }
  const folder = join(cache, `python-${packages.join('-')}`);
  if (!existsSync(folder) && !install(folder, packages)) return null;
  return join(folder, 'bin/python');
};

const cache = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));

/** Made beside its place and moved there when it is whole: another test may do the same. */
const install = (folder: string, packages: readonly string[]): boolean => {
  mkdirSync(cache, { recursive: true });
  const made = mkdtempSync(join(cache, 'python-'));
  try {
    execFileSync('python3', ['-m', 'venv', made]);
    execFileSync(join(made, 'bin/python'), ['-m', 'pip', 'install', '-q', ...packages]);
    renameSync(made, folder);
    return true;
  } catch (error) {
    if (existsSync(folder)) return true;
    const reason = (error as Error).message;
    process.stderr.write(`\n*** TESTS WILL BE SKIPPED: no package index for Python: ${reason}\n\n`);
    return false;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
};
