import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { takeLock } from '../src/build-lock.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
  file = join(folder, 'site.lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a free lock is taken once', () => {
  expect([takeLock(file), takeLock(file)]).toEqual([true, false]);
  expect(readFileSync(file, 'utf8')).toBe(`${process.pid}`);
});

test('the lock of a process that ended is taken over', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeFileSync(file, `${pid}`);
  expect(takeLock(file)).toBe(true);
});

test('the lock of a running process is left to it', () => {
  writeFileSync(file, `${process.ppid}`);
  expect(takeLock(file)).toBe(false);
  expect(existsSync(file)).toBe(true);
});

test('a lock in a folder that does not exist is an error', () => {
  expect(() => takeLock(join(folder, 'none', 'site.lock'))).toThrow('ENOENT');
});
