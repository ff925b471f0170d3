import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, migrate, openDatabase } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { migrations } from '../migrations/index.ts';
import { areCurrentKeys, listKeys, registerFirstKeys } from '../src/log/keys.ts';
import { noteSigner } from '../src/log/note-signer.ts';

const program = new URL('../src/migrate.ts', import.meta.url).pathname;
const origin = 'custody.test.example/log';

/** The two halves of a key, each as the documents make it by openssl. */
const newKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    seed: privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32),
    text: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64'),
  };
};
const first = newKey();
const second = newKey();
const vkeysOf = (...keys: { seed: Buffer }[]) =>
  noteSigner(
    origin,
    keys.map(({ seed }) => seed),
  ).vkeys;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('custody');
  await migrate(database.ownerUrl, migrations);
  const telemetry = createTelemetry({ service: 'test', write: () => {} });
  const limits = { poolMax: 1, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000 };
  db = await openDatabase({ url: database.serviceUrl, ...limits, telemetry });
  await registerFirstKeys(db, vkeysOf(first));
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const runJob = (publicKeys: string) => {
  const { NODE_OPTIONS, ...inherited } = process.env;
  const env = {
    ...inherited,
    MIGRATION_DATABASE_URL: database.ownerUrl,
    CUSTODY_LOG_ORIGIN: origin,
    CUSTODY_PUBLIC_KEYS: publicKeys,
  };
  return spawnSync(process.execPath, [program], { env, encoding: 'utf8' });
};

test('the Job registers public keys, and the service may sign with their seeds', async () => {
  expect(await areCurrentKeys(db, vkeysOf(first, second))).toBe(false);
  expect(runJob(`${first.text},${second.text}`)).toMatchObject({ status: 0 });
  expect(await areCurrentKeys(db, vkeysOf(first, second))).toBe(true);
});

test('without public keys the Job leaves the registered keys as they are', async () => {
  const before = await listKeys(db);
  expect(runJob('')).toMatchObject({ status: 0 });
  expect(await listKeys(db)).toEqual(before);
});

test('a key that is no longer listed ends', async () => {
  expect(runJob(second.text)).toMatchObject({ status: 0 });
  expect(await areCurrentKeys(db, vkeysOf(second))).toBe(true);
  expect(await listKeys(db)).toHaveLength(2);
});

test('a text that is no key is a bad setting', () => {
  const { status, stdout, stderr } = runJob('x');
  expect([status, stdout + stderr]).toEqual([78, expect.stringContaining('CUSTODY_PUBLIC_KEYS')]);
});
