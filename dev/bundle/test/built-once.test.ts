import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { buildPrograms, builtOnce } from '../src/index.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pto-bundle-'));
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(root, 'src', 'words.txt'), 'good day');
  writeFileSync(
    join(root, 'src', 'main.ts'),
    `import { readFileSync } from 'node:fs';
     process.stdout.write(readFileSync(new URL('words.txt', import.meta.url), 'utf8'));`,
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

let builds = 0;
const bundle = async () => {
  const { folder, build } = builtOnce(root, 'programs', ['src/**']);
  await build((into) => {
    builds++;
    return buildPrograms(root, { main: 'src/main.ts' }, into, folder);
  });
  return folder;
};
const run = (dir: string): string =>
  execFileSync(process.execPath, [join(dir, 'main.mjs')], { encoding: 'utf8' });

test('a program finds the files beside its sources', async () => {
  expect(run(await bundle())).toBe('good day');
});

test('a folder is used again until a source changes', async () => {
  const first = await bundle();
  const before = builds;
  writeFileSync(join(root, 'package.json'), '{ "type": "module" } '); // no source
  expect(await bundle()).toBe(first);
  expect(builds).toBe(before);
  writeFileSync(join(root, 'src', 'main.ts'), `process.stdout.write('changed');`);
  const second = await bundle();
  expect(run(second)).toBe('changed');
  expect(run(first)).toBe('good day'); // a process that runs from it may start again
});

test('of two builds at the same time the first one stays, and nothing else', async () => {
  const { folder, build } = builtOnce(root, 'both', ['src/**']);
  const make = async (into: string) => {
    mkdirSync(into, { recursive: true });
    writeFileSync(join(into, 'made'), '');
  };
  await build(async (into) => {
    await make(folder); // another process has finished meanwhile
    await make(into);
  });
  expect(existsSync(join(folder, 'made'))).toBe(true);
  expect(existsSync(`${folder}.${process.pid}`)).toBe(false);
});

test('a failed build leaves no folder', async () => {
  const { folder, build } = builtOnce(root, 'failed', ['src/**']);
  await expect(build(() => Promise.reject(new Error('no build')))).rejects.toThrow('no build');
  expect(existsSync(folder)).toBe(false);
});

test('a folder that nobody used for a week is removed', async () => {
  const old = await bundle();
  const eightDaysAgo = new Date(Date.now() - 8 * 24 * 3_600_000);
  writeFileSync(join(root, 'src', 'main.ts'), `process.stdout.write('changed');`);
  utimesSync(old, eightDaysAgo, eightDaysAgo);
  await bundle();
  expect(existsSync(old)).toBe(false);
});
