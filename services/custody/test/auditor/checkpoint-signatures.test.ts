import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { checkpointLines, checkpointText } from '@pto/custody-verifier';
import { type Database, migrate, openDatabase } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { migrations } from '../../migrations/index.ts';
import { auditSignatures } from '../../src/auditor/audit-signatures.ts';
import { noteSigner } from '../../src/log/note-signer.ts';

const origin = 'log.test/custody';
const [first, second] = [Buffer.alloc(32, 5), Buffer.alloc(32, 6)];
const vkeysOf = (...seeds: Buffer[]) => noteSigner(origin, seeds).vkeys;
const at = (minute: number) => new Date(Date.UTC(2026, 0, 15, 9, minute)).toISOString();
const endedAt = at(30);

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('custody');
  await migrate(database.ownerUrl, migrations);
  const telemetry = createTelemetry({ service: 'test', write: () => {} });
  const limits = { poolMax: 1, statementTimeoutMs: 5000, lockTimeoutMs: 5000 };
  db = await openDatabase({ url: database.superuserUrl, ...limits, telemetry });
});
beforeEach(async () => {
  await db.query("set session_replication_role = 'replica'"); // no trigger stands in the way
  await db.query('truncate log_keys, log_checkpoints');
  await db.query('insert into log_keys (vkey, valid_from, valid_until) values ($1, $2, $3)', [
    vkeysOf(first)[0],
    at(0),
    endedAt,
  ]);
  await db.query('insert into log_keys (vkey, valid_from) values ($1, $2)', [
    vkeysOf(second)[0],
    at(10),
  ]);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** Adds a checkpoint that these keys signed. @param time null: a checkpoint without lines. */
const sign = async (size: number, time: string | null, ...seeds: Buffer[]): Promise<void> => {
  const root = new Uint8Array(32);
  const lines = time === null ? '' : checkpointLines({ indexRoot: root, time });
  const note = noteSigner(origin, seeds).sign(checkpointText({ origin, size, root }) + lines);
  await db.query('insert into log_checkpoints (size, root, note) values ($1, $2, $3)', [
    size,
    Buffer.from(root),
    note,
  ]);
};
const start = { vkeys: [], note: null };
const reasons = async (from: Parameters<typeof auditSignatures>[1] = start) =>
  (await auditSignatures(db, from)).violations.map(({ reason }) => reason);

/** A rotation as the documents describe it: the old key, both, the new key. */
const rotate = async (): Promise<void> => {
  await sign(1, at(5), first);
  await sign(2, at(20), first, second);
  await sign(3, endedAt, first, second);
  await sign(4, at(40), second);
};

test('a rotation with an overlap is no violation, and the new key signs on', async () => {
  await rotate();
  await sign(5, at(50), second);
  expect(await reasons()).toEqual([]);
});

test.each([
  ['its own time', at(50)],
  ['a time before its end', at(20)],
  ['no time', null],
])('a checkpoint with %s that only an ended key signed is a violation', async (_, time) => {
  await rotate();
  const before = await auditSignatures(db, start);
  expect(before.violations).toEqual([]);
  await sign(5, time, first);
  const found = ['the checkpoint over 5 leaves is not signed by a key that was known before'];
  expect(await reasons()).toEqual(found);
  expect(await reasons(before)).toEqual(found); // the auditor goes on from its state
});

test('an ended key does not vouch for another key', async () => {
  await rotate();
  await db.query('insert into log_keys (vkey) values ($1)', vkeysOf(Buffer.alloc(32, 7)));
  await sign(5, at(50), first, Buffer.alloc(32, 7));
  expect(await reasons()).toHaveLength(1);
});

test('checkpoints without a time from before the rotation stay valid', async () => {
  await sign(1, null, first);
  await sign(2, at(20), first, second);
  expect(await reasons()).toEqual([]);
});
