/** A Python with independent implementations of what the verifier does. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = ['rfc8785==0.1.4', 'cryptography==46.0.3'];
const cache = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));
const folder = join(cache, 'custody-verifier-python');

/** Null where there is no Python; its absence is told, and the tests are counted as skipped. */
export const python = ((): string | null => {
  if (spawnSync('python3', ['-c', 'import venv, ensurepip']).status !== 0) {
    process.stderr.write('\n*** TESTS WILL BE SKIPPED: there is no python3 with venv\n\n');
    return null;
  }
  if (!existsSync(folder) && !install()) return null;
  return join(folder, 'bin/python');
})();

/** What a program prints for what it reads, both as JSON. */
export const askPython = (program: string, question: unknown): unknown =>
  JSON.parse(
    execFileSync(python!, ['-B', '-X', 'utf8', '-c', program], {
      input: JSON.stringify(question),
      cwd: fileURLToPath(new URL('../python/', import.meta.url)),
      maxBuffer: 2 ** 28,
      encoding: 'utf8',
    }),
  );

/** Made beside its place and moved there when it is whole: another test may do the same. */
function install(): boolean {
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
}
