import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { changeOf, mayFollow, releasedChangelog } from '../release/versions.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const clone = mkdtempSync(join(tmpdir(), 'release-'));
const read = (path: string) => readFileSync(join(clone, path), 'utf8');
const git = (...words: string[]) => execFileSync('git', words, { cwd: clone, encoding: 'utf8' });
const release = (version: string) =>
  spawnSync(process.execPath, ['tools/release/main.ts', version], { cwd: clone, encoding: 'utf8' });

beforeAll(() => {
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone]);
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
  appendFileSync(join(clone, '.git/info/exclude'), '/node_modules\n');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.com');
  // Right after a release nothing is unreleased.
  const unreleased = read('CHANGELOG.md').replace('## Unreleased\n', '$&\n- A test.\n');
  writeFileSync(join(clone, 'CHANGELOG.md'), unreleased);
  git('commit', '--all', '--quiet', '--message', 'changelog: add a line');
});
afterAll(() => rmSync(clone, { recursive: true }));

test('a release is one commit with a tag, and every package has its version', () => {
  const before = JSON.parse(read('package.json')).version;
  const made = release('9.8.7');
  expect([made.status, made.stderr]).toEqual([0, '']);
  expect(git('log', '-1', '--format=%s')).toBe('release: 9.8.7\n');
  expect(git('describe', '--exact-match')).toBe('v9.8.7\n');
  expect(git('status', '--porcelain')).toBe('');
  expect(read('CHANGELOG.md')).toMatch(/\n## Unreleased\n\n## 9\.8\.7 - \d{4}-\d\d-\d\d\n/);
  const packages = git('ls-files', '*package.json').trim().split('\n').map(read);
  expect(packages.filter((text) => text.includes(`"${before}"`))).toEqual([]);
  const lock = JSON.parse(read('package-lock.json'));
  const ours = Object.entries<{ version?: string; dependencies?: Record<string, string> }>(
    lock.packages,
  ).filter(([path]) => /^(packages|verifiers|dev|services)\/[\w-]+$/.test(path));
  expect(ours.length).toBeGreaterThan(20);
  for (const [, { version, dependencies = {} }] of ours) {
    const named = Object.entries(dependencies).filter(([name]) => name.startsWith('@pto/'));
    expect([version, ...named.map(([, of]) => of)]).toEqual(['9.8.7', ...named.map(() => '9.8.7')]);
  }
  expect(read('clients/python/pyproject.toml')).toContain('\nversion = "9.8.7"\n');
  expect(read('clients/typescript/src/version.ts')).toContain("'9.8.7'");
  expect(read('deploy/helm/partner-api/Chart.yaml')).toContain('\nappVersion: 9.8.7\n');
});

test('a release needs a version that follows, and a clean work tree', () => {
  for (const version of ['', '1.0', '0.0.1']) expect(release(version).status).toBe(2);
  appendFileSync(join(clone, 'README.md'), 'x');
  expect(release('99.0.0').stderr).toBe('Commit or stash your changes first.\n');
  git('checkout', '--quiet', 'README.md');
});

test.each([
  ['1.0.0', '1.0.0', true],
  ['1.2.3', '1.2.4', true],
  ['1.2.3', '1.10.0', true],
  ['1.10.0', '1.9.0', false],
  ['1.0.0', 'v1.1.0', false],
])('after %s, %s: %s', (from, to, expected) => {
  expect(mayFollow(from, to)).toBe(expected);
});

test('a dependency of the same version from elsewhere keeps it', () => {
  const text = '{\n  "version": "1.0.0",\n  "dependencies": {\n    "other": "1.0.0"\n  }\n}\n';
  const changed = changeOf('packages/bus/package.json')!(text, '1.0.0', '1.1.0');
  expect(JSON.parse(changed)).toEqual({ version: '1.1.0', dependencies: { other: '1.0.0' } });
});

test('a changelog without unreleased lines is no release', () => {
  const text = '# Changelog\n\n## Unreleased\n\n## 1.0.0 - 2026-01-01\n\n- One.\n';
  expect(() => releasedChangelog(text, '1.1.0', '2026-02-01')).toThrow('Nothing is unreleased.');
});

test('a changelog with the section of the version stays, unless it has unreleased lines', () => {
  const text = '# Changelog\n\n## Unreleased\n\n## 1.1.0 - 2026-01-01\n\n- One.\n';
  expect(releasedChangelog(text, '1.1.0', '2026-02-01')).toBe(text);
  const more = text.replace('## Unreleased\n', '## Unreleased\n\n- Two.\n');
  expect(() => releasedChangelog(more, '1.1.0', '2026-02-01')).toThrow('has 1.1.0 already');
});
