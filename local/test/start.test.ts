import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-'));
  mkdirSync(join(folder, 'local/src'), { recursive: true });
  copyFileSync(new URL('../start.js', import.meta.url), join(folder, 'local/start.js'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'local/src/main.ts'), "console.log('started' satisfies string);");
});
afterAll(() => rmSync(folder, { recursive: true }));

const start = (...options: string[]) => {
  const program = [...options, join(folder, 'local/start.js')];
  return spawnSync(process.execPath, program, { encoding: 'utf8' });
};

test('says in one line that the packages are missing', () => {
  const { status, stderr } = start();
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'The packages are missing: run npm ci.\n',
  });
});

test('says in one line that Node is too old for TypeScript', () => {
  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), '{}');
  const { status, stderr } = start('--no-strip-types');
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Node 22.18 or newer is missing .*\n$/);
  expect(start().stdout).toBe('started\n');
});
