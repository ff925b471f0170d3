import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openStateFolder } from '../src/state-folder.ts';
import { aLog } from './a-log.ts';
import { aWitness } from './a-witness.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'witness-state-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a second reader sees the last note that was written', async () => {
  const state = await openStateFolder(folder);
  expect(await state.read()).toEqual({ number: 0, note: null });
  for (const note of ['one', 'two', 'three']) await state.write(await state.read(), note);
  expect(await (await openStateFolder(folder)).read()).toEqual({ number: 3, note: 'three' });
  expect(readdirSync(folder)).toEqual(['000000000003.checkpoint']);
});

test('of two processes that follow one version, the second fails', async () => {
  const [first, second] = [await openStateFolder(folder), await openStateFolder(folder)];
  const [seen, seenToo] = [await first.read(), await second.read()];
  await first.write(seen, 'a');
  await expect(second.write(seenToo, 'b')).rejects.toThrow(/EEXIST/);
  expect((await second.read()).note).toBe('a');
});

test('a process that follows a version that is long superseded fails', async () => {
  const [first, second] = [await openStateFolder(folder), await openStateFolder(folder)];
  const seen = await second.read();
  for (const note of ['a', 'b', 'c']) await first.write(await first.read(), note);
  await expect(second.write(seen, 'x')).rejects.toThrow('another process cosigns');
  expect((await second.read()).note).toBe('c');
});

test('a witness whose state is damaged cosigns nothing', async () => {
  const origin = 'log.test/one';
  const log = await aLog(origin);
  const before = await aWitness([origin], folder);
  expect((await before.submit(await log.body(0, 3))).status).toBe(200);
  await before.stop();
  const [of] = readdirSync(folder);
  const [file] = readdirSync(join(folder, of!));
  const after = await aWitness([origin], folder);
  truncateSync(join(folder, of!, file!), 20);
  for (const old of [0, 3]) expect((await after.submit(await log.body(old, 8))).status).toBe(500);
  await after.stop();
});

test('a witness that starts again continues from its state', async () => {
  const origin = 'log.test/one';
  const log = await aLog(origin, { shared: 2 });
  const fork = await aLog(origin, { fork: 'another', shared: 2 });
  const before = await aWitness([origin], folder);
  expect((await before.submit(await log.body(0, 3))).status).toBe(200);
  await before.stop();
  const after = await aWitness([origin], folder);
  expect(await after.submit(await fork.body(0, 8))).toMatchObject({ status: 409, text: '3\n' });
  expect((await after.submit(await fork.body(3, 8))).status).toBe(422);
  expect((await after.submit(await log.body(3, 8))).status).toBe(200);
  await after.stop();
});
