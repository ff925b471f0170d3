import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));
const installMaxMs = 240_000;

/**
 * Returns the path of a Python that has the given packages, for comparisons in tests. If
 * `node_modules/.cache` has no environment with these packages, creates one with this machine's
 * python3.
 * @param packages each with its version: `moto==5.2.5`.
 * @returns the path of the program (use `-m` for modules). Null if the environment cannot be
 *   created: writes the reason to standard error, and the caller must skip its tests.
 */
export const pythonWith = (packages: readonly string[]): string | null => {
  const name = `python-${packages.join('-').replace(/[^\w.]+/g, '-')}`;
  const folder = join(cache, name);
  mkdirSync(cache, { recursive: true });
  // created under a temporary name and moved when complete: another test may create the same
  // environment
  const made = mkdtempSync(`${folder}-`);
  try {
    if (existsSync(folder)) return join(folder, 'bin/python');
    install(made, packages);
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

/**
 * Installs with uv, which takes 2 s of CPU where pip takes 50 s; with pip if uv is not available.
 */
const install = (folder: string, packages: readonly string[]): void => {
  const run = (program: string, ...words: string[]) =>
    execFileSync(program, words, { timeout: installMaxMs, stdio: 'pipe' });
  const tools = join(folder, 'uv');
  const python = join(folder, 'bin/python');
  try {
    run('python3', '-m', 'pip', 'install', '-q', '--no-compile', '--target', tools, 'uv');
    const uv = join(tools, 'bin/uv');
    run(uv, 'venv', '-q', '--allow-existing', folder);
    run(uv, 'pip', 'install', '-q', '--python', python, ...packages);
  } catch {
    run('python3', '-m', 'venv', '--clear', folder);
    run(python, '-m', 'pip', 'install', '-q', '--no-compile', ...packages);
  }
};
