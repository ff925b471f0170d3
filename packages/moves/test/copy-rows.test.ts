import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, migrate, openDatabase, sqlMigration } from '@pto/database';
import { Level } from '@pto/proto/moves/v1/moves';
import { createTelemetry } from '@pto/telemetry';
import { type TestDatabase, testDatabase, until } from '@pto/testing';
import { Client } from 'pg';
import {
  type CopiedTable,
  decodePage,
  encodePage,
  exportRows,
  heldOrganizationsTable,
  holdOrganization,
  importRows,
  moveFencesTable,
  releaseOrganization,
  takeMark,
} from '../src/index.ts';

const table: CopiedTable = { name: 'things', key: { id: 'int' } };
let database: TestDatabase;
let db: Database;
let owner: Client;
beforeAll(async () => {
  database = await testDatabase('moves');
  await migrate(database.ownerUrl, [
    sqlMigration('20261129080000_things', [
      ...heldOrganizationsTable,
      ...moveFencesTable,
      `create table things (organization_id uuid not null, id int not null, value json,
         primary key (organization_id, id))`,
    ]),
  ]);
  db = await openDatabase({
    url: database.serviceUrl,
    ...{ poolMax: 4, statementTimeoutMs: 5000, lockTimeoutMs: 4000 },
    telemetry: createTelemetry({ service: 'test', write: () => {} }),
  });
  owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await db.close();
  await database.drop();
});

const add = (client: Client, organizationId: string, id: number, value = '1') =>
  client.query('insert into things values ($1, $2, $3::json)', [organizationId, id, value]);

const exported = (organizationId: string, since: string, after: readonly string[] | null = null) =>
  exportRows(db, table, { organizationId, since, after });

test('a transaction that began before the mark and commits after it is in the next copy', async () => {
  const organizationId = randomUUID();
  await owner.query('begin');
  await add(owner, organizationId, 1);
  const mark = await takeMark(db);
  expect((await exported(organizationId, '')).count).toBe(0);
  await owner.query('commit');
  expect((await exported(organizationId, mark)).count).toBe(1);
});

test('rows that were written long before a mark are not read again', async () => {
  const organizationId = randomUUID();
  await add(owner, organizationId, 1);
  const written = BigInt(await takeMark(db));
  // each statement is a transaction; the age of a row is exact to 1000 of them
  await owner.query(`do $$ begin
    for n in 1..1500 loop perform txid_current(); commit; end loop; end $$`);
  const mark = await until(
    async () => {
      const taken = await takeMark(db); // not after a transaction of another database that runs long
      return BigInt(taken) > written + 1200n && taken;
    },
    { what: 'the end of other transactions' },
  );
  await add(owner, organizationId, 2);
  const { rows } = await exported(organizationId, mark);
  expect(JSON.parse(rows)).toEqual([{ organization_id: organizationId, id: 2, value: 1 }]);
});

test('pages follow each other by key, and JSON arrives as it was written', async () => {
  const organizationId = randomUUID();
  await owner.query(
    `insert into things select $1, n, '{"a":1.00,  "a":"ß\u{1F691}"}' from generate_series(-1, 1500) n`,
    [organizationId],
  );
  const read = `select id, value::text as value from things where organization_id = $1 order by id`;
  const before = (await owner.query(read, [organizationId])).rows;
  const first = await exported(organizationId, '');
  const last = await exported(organizationId, '', first.next);
  expect([first.count, first.next, last.count, last.next]).toEqual([...[1000, ['998'], 502, null]]);
  await owner.query('delete from things where organization_id = $1', [organizationId]);
  for (const { rows } of [first, last, first]) await importRows(db, table, organizationId, rows);
  expect((await owner.query(read, [organizationId])).rows).toEqual(before);
});

test('rows of another organization are not stored', async () => {
  const [own, foreign] = [randomUUID(), randomUUID()];
  const row = (organizationId: string) => ({ organization_id: organizationId, id: 1, value: 1 });
  const store = (...of: string[]) =>
    db.transaction((tx) => importRows(tx, table, own, JSON.stringify(of.map(row))));
  await expect(store(own, foreign)).rejects.toMatchObject({ kind: 'VALIDATION' });
  expect([(await exported(own, '')).count, (await exported(foreign, '')).count]).toEqual([0, 0]);
  expect(await store(own)).toBe(1);
});

test('a page arrives as it was written, and nothing else is a page', () => {
  const rows = new Map([
    ['one', '[{"text":"ß\u{1F691}\n"}]'],
    ['two', '[]'],
  ]);
  const bytes = encodePage({ head: { of: 'one' }, rows });
  expect(decodePage(bytes)).toEqual({ head: { of: 'one' }, rows });
  for (const wrong of [bytes.subarray(0, -1), Buffer.concat([bytes, bytes]), Buffer.from('x')])
    expect(() => decodePage(wrong)).toThrow('rows is not a page of Export.');
});

test('a later token takes a hold over, and an older one changes nothing', async () => {
  const organizationId = randomUUID();
  const hold = (token: bigint, level: Level) =>
    db.transaction((tx) => holdOrganization(tx, { organizationId, token }, level));
  const level = async () =>
    (
      await owner.query('select token, level from held_organizations where organization_id = $1', [
        organizationId,
      ])
    ).rows[0];
  await hold(2n, Level.WRITES);
  await hold(2n, Level.WORK);
  expect(await level()).toEqual({ token: '2', level: Level.WRITES });
  await expect(hold(1n, Level.ARRIVING)).rejects.toMatchObject({ kind: 'ILLEGAL_TRANSITION' });
  await hold(3n, Level.WORK);
  expect(await level()).toEqual({ token: '3', level: Level.WORK });
  await expect(
    db.transaction((tx) => releaseOrganization(tx, { organizationId, token: 2n })),
  ).rejects.toMatchObject({ kind: 'ILLEGAL_TRANSITION' });
  await db.transaction((tx) => releaseOrganization(tx, { organizationId, token: 3n }));
  expect(await level()).toBeUndefined();
});

test('a hold that arrives after the release of its token or of a later one is rejected', async () => {
  const organizationId = randomUUID();
  const hold = (token: bigint) =>
    db.transaction((tx) => holdOrganization(tx, { organizationId, token }, Level.WRITES));
  const release = (token: bigint) =>
    db.transaction((tx) => releaseOrganization(tx, { organizationId, token }));
  const isLater = { kind: 'ILLEGAL_TRANSITION' };
  await release(2n); // holds nothing: a try begins with it
  await expect(hold(2n)).rejects.toMatchObject(isLater);
  await hold(3n);
  await release(3n);
  for (const token of [1n, 3n]) await expect(hold(token)).rejects.toMatchObject(isLater);
  const held = 'select from held_organizations where organization_id = $1';
  expect((await owner.query(held, [organizationId])).rows).toEqual([]);
  await hold(4n);
});

test('a hold in progress ends before a release of a later token', async () => {
  const organizationId = randomUUID();
  const later = { organizationId, token: 2n };
  const inProgress = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const holding = db.transaction(async (tx) => {
    await holdOrganization(tx, { organizationId, token: 1n }, Level.WRITES);
    inProgress.resolve();
    await commit.promise;
  });
  await inProgress.promise;
  const released = db.transaction((tx) => releaseOrganization(tx, later));
  const waits = "select from pg_locks where locktype = 'transactionid' and not granted";
  await until(async () => (await owner.query(waits)).rows.length > 0, { what: 'the wait' });
  commit.resolve();
  await Promise.all([holding, released]);
  const held = 'select from held_organizations where organization_id = $1';
  expect((await owner.query(held, [organizationId])).rows).toEqual([]);
});
