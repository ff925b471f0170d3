/**
 * The contracts between services: well-formed, formatted, generated code up to date, and nothing
 * broken since the last commit (the one before it, where there is nothing uncommitted).
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const proto = join(root, 'proto');
const bin = join(root, 'node_modules/.bin');
const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };

const run = (what: string, command: string, args: readonly string[], cwd = proto): void => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  if (status === 0) return;
  process.stdout.write(`${what}:\n${stdout}${stderr}\n`);
  process.exit(1);
};

const git = (...args: string[]): string | null => {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
};

run('buf lint', 'buf', ['lint']);
run('not formatted (npm run generate)', 'buf', ['format', '--diff', '--exit-code']);

const fresh = mkdtempSync(join(tmpdir(), 'pto-proto-'));
try {
  execFileSync('buf', ['generate', '--output', fresh], { cwd: proto, env, stdio: 'inherit' });
  run('generated code is stale (npm run generate)', 'diff', ['-r', join(fresh, 'gen'), 'gen']);
} finally {
  rmSync(fresh, { recursive: true });
}

const dirty = git('status', '--porcelain', 'proto') !== '';
const ref = process.env.PROTO_AGAINST ?? (dirty ? 'HEAD' : 'HEAD~1');
if (git('cat-file', '-e', `${ref}:proto/buf.yaml`) === null)
  process.stdout.write(`no contracts at ${ref} to compare with\n`);
else
  run(`breaks what stood at ${ref}`, 'buf', [
    'breaking',
    '--against',
    `../.git#ref=${ref},subdir=proto`,
  ]);
