/** Steps of a move that come when its try has ended. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, migrate, openDatabase } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { type TestDatabase, testDatabase } from '@pto/testing';
import { migrations } from '../../migrations/index.ts';
import { beginMove, endTry, LostMove, storeStep, takeMove } from '../../src/moves/move-store.ts';
import { query } from '../operators-service.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('access');
  await migrate(database.ownerUrl, migrations);
  const telemetry = createTelemetry({ service: 'test', write: () => {} });
  const limits = { poolMax: 2, statementTimeoutMs: 5000, lockTimeoutMs: 1000 };
  db = await openDatabase({ ...limits, url: database.operatorsUrl, telemetry });
}, 60_000);
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

test('a step that comes after the end of its try does not delay the next one', async () => {
  const [organization] = await query<{ id: string }>(
    database.ownerUrl,
    "insert into organizations (id, name, enabled, admins) values (gen_random_uuid(), 'Clinic', true, '{}') returning id",
  );
  const { id } = organization!;
  const cells = { source: 'main', target: 'north', started_by: 'a test' };
  await beginMove(db, { organization_id: id, ...cells });
  const first = (await takeMove(db, ['COPYING']))!;
  await storeStep(db, first);
  expect(await takeMove(db, ['COPYING'])).toBeUndefined();
  await endTry(db, first, { failure: 'disk full' }, 0);
  await expect(storeStep(db, first)).rejects.toThrow(LostMove);
  const next = (await takeMove(db, ['COPYING']))!;
  expect(next.id).toBe(first.id);
  expect(BigInt(next.token)).toBeGreaterThan(BigInt(first.token));
});
