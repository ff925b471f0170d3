import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { recentBundle } from '../src/index.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pto-bundle-'));
  mkdirSync(join(root, 'greeting'));
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(root, 'package-lock.json'), '{}');
  writeFileSync(join(root, 'greeting', 'words.txt'), 'good day');
  writeFileSync(
    join(root, 'greeting', 'greet.ts'),
    `import { readFileSync } from 'node:fs';
     export const greet = (whom: string): string =>
       readFileSync(new URL('words.txt', import.meta.url), 'utf8') + ', ' + whom;`,
  );
  writeFileSync(
    join(root, 'main.ts'),
    `import { greet } from './greeting/greet.ts';
     process.stdout.write(greet('partner'));`,
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const bundle = () => recentBundle(root, { main: 'main.ts' }, join(root, 'cache'));
const run = (dir: string): string =>
  execFileSync(process.execPath, [join(dir, 'main.mjs')], { encoding: 'utf8' });

test('a program finds the files beside its sources', async () => {
  expect(run(await bundle())).toBe('good day, partner');
});

test('a bundle is used again until a file that it was made of changes', async () => {
  const first = await bundle();
  expect(await bundle()).toBe(first);
  writeFileSync(join(root, 'main.ts'), `process.stdout.write('changed');`);
  const second = await bundle();
  expect(run(second)).toBe('changed');
  writeFileSync(join(root, 'package-lock.json'), '{ }');
  expect(await bundle()).not.toBe(second);
  expect(run(first)).toBe('good day, partner'); // a process that runs from it may start again
});

test('in a copy of the root the sources of the copy count', async () => {
  await bundle();
  const copy = `${root}-copy`;
  execFileSync('cp', ['-al', root, copy]);
  try {
    rmSync(join(copy, 'main.ts'));
    writeFileSync(join(copy, 'main.ts'), `process.stdout.write('copy');`);
    const dir = await recentBundle(copy, { main: 'main.ts' }, join(copy, 'cache'));
    expect(run(dir)).toBe('copy');
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

test('a bundle that another process is writing is not used', async () => {
  const [first, second] = await Promise.all([bundle(), bundle()]);
  expect(run(first)).toBe('good day, partner');
  expect(run(second)).toBe('good day, partner');
  const finished = await bundle();
  expect([first, second]).toContain(finished);
  rmSync(join(first, 'inputs.json'));
  rmSync(join(second, 'inputs.json'));
  expect([first, second]).not.toContain(await bundle());
});

test('a bundle that nobody asked for in a week is removed', async () => {
  const old = await bundle();
  const eightDaysAgo = new Date(Date.now() - 8 * 24 * 3_600_000);
  writeFileSync(join(root, 'main.ts'), `process.stdout.write('changed');`);
  utimesSync(old, eightDaysAgo, eightDaysAgo);
  await bundle();
  expect(existsSync(old)).toBe(false);
});
