/** Prints the provenance of an image: `node tools/provenance.ts IMAGE sha256:…` (install.md). */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { provenance } from './provenance/statement.ts';

const root = new URL('..', import.meta.url).pathname;
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const remote = (): string => {
  try {
    return git('config', '--get', 'remote.origin.url');
  } catch {
    return fail('There is no remote origin: set REPOSITORY to the URL of the repository.');
  }
};
const fail = (reason: string): never => {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
};

const [image, digest] = process.argv.slice(2);
if (!image || !digest) fail('usage: node tools/provenance.ts IMAGE sha256:DIGEST');
if (git('status', '--porcelain') !== '')
  fail('There are uncommitted changes: an image is built from a commit.');

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const base =
  process.env.NODE_IMAGE ?? /^ARG NODE_IMAGE=(\S+)$/m.exec(read('Dockerfile'))?.[1] ?? '';
const hashed = ['Dockerfile', 'package-lock.json'].map((path) => [
  path,
  createHash('sha256').update(read(path)).digest('hex'),
]);
try {
  const repository = process.env.REPOSITORY ?? remote();
  const build = { image: image!, digest: digest!, commit: git('rev-parse', 'HEAD'), repository };
  const statement = provenance({ ...build, base, files: Object.fromEntries(hashed) });
  process.stdout.write(`${JSON.stringify(statement, null, 2)}\n`);
} catch (error) {
  fail((error as Error).message);
}
