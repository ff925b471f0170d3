import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openState, readState, writeState } from '../../src/auditor/state.ts';

const [key, otherKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const keys = [key] as const;

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'auditor-state-'));
  path = join(folder, 'state.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const stored = async () => {
  const state = {
    ...readState(path, keys),
    vkeys: ['log+1+key'],
    log: { size: 5, hashes: ['aGFzaA=='] },
  };
  await writeState(path, keys, state);
  return state;
};

test('returns the state that was written', async () => {
  const state = await stored();
  expect(readState(path, keys)).toEqual(state);
});

test('rejects a state that another key signed', async () => {
  await stored();
  expect(() => readState(path, [otherKey])).toThrow(/is not signed with CUSTODY_AUDITOR_STATE_KEY/);
});

test('is signed by the first key once an auditor has opened it, and stays the same', async () => {
  const state = await stored();
  expect(await openState(path, [otherKey, key])).toEqual(state);
  expect(readState(path, [otherKey])).toEqual(state);
});

test('opening writes no file before there is a state', async () => {
  await openState(path, keys);
  expect(existsSync(path)).toBe(false);
});

test('rejects a state that was changed behind its signature', async () => {
  await stored();
  const file = JSON.parse(readFileSync(path, 'utf8'));
  const state = file.state.replace('"size":5', '"size":6');
  expect(state).not.toBe(file.state);
  writeFileSync(path, JSON.stringify({ ...file, state }));
  expect(() => readState(path, keys)).toThrow(/is not signed with CUSTODY_AUDITOR_STATE_KEY/);
});

const signature = (mac: string) => Buffer.from(mac, 'base64');
test.each<[string, (mac: string) => string]>([
  ...[0, 1, 15, 31].map((length): [string, (mac: string) => string] => [
    `of ${length} bytes`,
    (mac) => signature(mac).subarray(0, length).toString('base64'),
  ]),
  ['of 33 bytes', (mac) => Buffer.concat([signature(mac), Buffer.of(0)]).toString('base64')],
  ['of 43 characters', (mac) => mac.slice(0, -1)],
  ['with text after it', (mac) => `${mac}AAAA`],
  ['with a newline after it', (mac) => `${mac}\n`],
  ['in base64url', (mac) => signature(mac).toString('base64url')],
  ['in hex', (mac) => signature(mac).toString('hex')],
])('rejects a signature %s', async (_, other) => {
  await stored();
  const file = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...file, mac: other(file.mac) }));
  expect(() => readState(path, keys)).toThrow(/is not signed with CUSTODY_AUDITOR_STATE_KEY/);
});

test('rejects a file without a signature, whose keys anyone could have written', async () => {
  writeFileSync(path, JSON.stringify({ vkeys: ['log+1+key'], note: null }));
  expect(() => readState(path, keys)).toThrow(/is not signed with CUSTODY_AUDITOR_STATE_KEY/);
});
