import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, type Transaction, uuidv7 } from '@pto/database';
import { until } from '@pto/testing';
import { walkIndexes } from '../../src/config.ts';
import type { EndpointKey } from '../../src/schema/entities.ts';
import { nextSequences } from '../../src/streams/next-sequences.ts';
import { queueBacklog } from '../backlog.ts';
import {
  anOrganization,
  openServiceDatabase,
  type ServiceDatabase,
  startDatabase,
} from '../webhooks-service.ts';

let stores: ServiceDatabase;
let db: Database;
beforeAll(async () => {
  stores = await startDatabase();
  db = await openServiceDatabase(stores, { session: walkIndexes });
});
afterAll(async () => {
  await db.close();
  await stores.stop();
});

/** Endpoints whose streams are at 0, in the order of their ids. */
const streams = async (count: number): Promise<EndpointKey[]> => {
  const organizationId = anOrganization();
  const ids = await queueBacklog(stores, {
    organizationId,
    url: 'https://hooks.example.com/',
    endpoints: count,
    deliveriesEach: 0,
  });
  return ids.sort().map((id) => ({ organizationId, id }));
};

const isBlocked = async () =>
  (
    await stores.superuser.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length > 0;

/** What the transaction could lock now of the streams: those that no other one holds. */
const free = async (tx: Transaction, ids: readonly string[]): Promise<string[]> => {
  const rows = await tx.query<{ id: string }>(
    `select endpoint_id as id from endpoint_sequences where endpoint_id = any ($1::uuid[])
     order by endpoint_id for update skip locked`,
    [ids],
  );
  return rows.map(({ id }) => id);
};

test('numbers of one stream are given to one transaction after the other, each once', async () => {
  const [key] = await streams(1);
  const { id } = key!;
  const counts = [{ ...key!, count: 3 }];
  let second: Promise<Map<string, number>> = Promise.resolve(new Map());
  await stores.superuser.transaction(async (tx) => {
    expect(await nextSequences(tx, counts)).toEqual(new Map([[id, 1]]));
    second = db.transaction((other) => nextSequences(other, counts));
    await until(isBlocked, { what: 'the second to wait for the first' });
  });
  expect(await second).toEqual(new Map([[id, 4]]));
  await expect(
    db.transaction(async (tx) => {
      expect(await nextSequences(tx, counts)).toEqual(new Map([[id, 7]]));
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  expect(await db.transaction((tx) => nextSequences(tx, counts))).toEqual(new Map([[id, 7]]));
});

test('streams are locked in the order of their ids, so that no two transactions wait in a ring', async () => {
  const keys = await streams(8);
  const ids = keys.map(({ id }) => id);
  const counts = keys.toReversed().map((key) => ({ ...key, count: 1 }));
  let waiting: Promise<Map<string, number>> = Promise.resolve(new Map());
  await stores.superuser.transaction(async (tx) => {
    await tx.query('select from endpoint_sequences where endpoint_id = $1 for update', [ids[0]]);
    waiting = db.transaction((other) => nextSequences(other, counts));
    await until(isBlocked, { what: 'the other to wait for the first stream' });
    expect(await free(tx, ids)).toEqual(ids);
  });
  expect(await waiting).toEqual(new Map(ids.map((id) => [id, 1])));
});

test('a stream whose endpoint is gone gets no number', async () => {
  const [key] = await streams(1);
  const counts = [{ ...key!, id: uuidv7() }, key!].map((one) => ({ ...one, count: 1 }));
  const numbers = await db.transaction((tx) => nextSequences(tx, counts));
  expect([...numbers]).toEqual([[key!.id, 1]]);
});
