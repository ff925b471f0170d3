import { toBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { verifyChain } from '@pto/custody-verifier';
import { type Database, migrate, openDatabase } from '@pto/database';
import { type OrderEvent, OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { orderEventsTopic } from '@pto/proto/topics';
import { createTelemetry } from '@pto/telemetry';
import { type TestDatabase, testDatabase, until } from '@pto/testing';
import { migrations } from '../../migrations/index.ts';
import { appendEvents } from '../../src/chain/append.ts';
import { type EntryRow, entryColumns, toChainEntry } from '../../src/chain/read-chain.ts';
import { anOrderId, anOrganization, eventsOf, signAsOrders } from '../custody-service.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('custody');
  await migrate(database.ownerUrl, migrations);
  db = await openDatabase({
    url: database.serviceUrl,
    poolMax: 4,
    statementTimeoutMs: 20_000,
    lockTimeoutMs: 20_000,
    telemetry: createTelemetry({ service: 'test', write: () => {} }),
  });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const messages = (events: readonly OrderEvent[]) =>
  events.map((event) =>
    signAsOrders({
      topic: orderEventsTopic,
      key: event.orderId,
      id: event.id,
      type: event.type,
      value: toBinary(OrderEventSchema, event),
      partition: 0,
      offset: '0',
    }),
  );

const append = (
  events: readonly OrderEvent[],
  beforeCommit: () => Promise<void> = async () => {},
): Promise<void> =>
  db.transaction(async (tx) => {
    await appendEvents(messages(events), tx, (message) => message);
    await beforeCommit();
  });

/** Appends in a transaction that stays open until `commit` is called. */
const appendOpen = async (events: readonly OrderEvent[]) => {
  const [appended, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = append(events, () => {
    appended.resolve();
    return open.promise;
  });
  await Promise.race([appended.promise, done]);
  return {
    commit: () => {
      open.resolve();
      return done;
    },
  };
};

/** The ids of an order's entries; the chain is whole and its head is the last entry. */
const chainOf = async (orderId: string): Promise<string[]> => {
  const rows = await db.query<EntryRow>(
    `select ${entryColumns} from entries where order_id = $1 order by sequence`,
    [orderId],
  );
  expect(verifyChain(orderId, rows.map(toChainEntry)).valid).toBe(true);
  const last = rows.at(-1);
  expect(
    await db.query('select sequence, head_hash from chains where order_id = $1', [orderId]),
  ).toEqual(last ? [{ sequence: last.sequence, head_hash: last.event_hash }] : []);
  return rows.map(({ id }) => id);
};

const ids = (events: readonly OrderEvent[]) => events.map(({ id }) => id);
const orderOf = (count: number) =>
  eventsOf(anOrderId(), anOrganization(), count, { reference: count });

/** Waits until a transaction waits for another one. */
const untilBlocked = () =>
  until(
    async () =>
      (
        await db.query(
          `select from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).length > 0,
    { what: 'a transaction that waits' },
  );

test('one batch begins chains and continues others', async () => {
  const [old, first, second] = [orderOf(4), orderOf(3), orderOf(1)];
  await append(old.slice(0, 2));
  await append([first[0]!, old[2]!, first[1]!, second[0]!, old[3]!, first[2]!]);
  for (const events of [old, first, second])
    expect(await chainOf(events[0]!.orderId)).toEqual(ids(events));
  const queued = await db.query<{ event_id: string }>(
    'select event_id from outbox where event_id = any ($1::uuid[]) order by id',
    [ids([...old, ...first, ...second])],
  );
  expect(queued.map(({ event_id }) => event_id)).toEqual([
    ...ids(old.slice(0, 2)),
    ...ids([first[0]!, old[2]!, first[1]!, second[0]!, old[3]!, first[2]!]),
  ]);
});

test('events that came before are entries once, also beside new orders', async () => {
  const [old, fresh] = [orderOf(3), orderOf(2)];
  await append(old.slice(0, 2));
  await append([...old, ...fresh]);
  await append([...old, ...fresh]);
  for (const events of [old, fresh]) expect(await chainOf(events[0]!.orderId)).toEqual(ids(events));
});

test('a chain that another transaction begins is waited for and continued', async () => {
  const [order, beside] = [orderOf(3), orderOf(1)];
  const begun = await appendOpen(order.slice(0, 1));
  // the first event again, and the order's next one alone
  const again = append([...order.slice(0, 2), ...beside]);
  await Promise.race([untilBlocked(), again]).finally(begun.commit);
  await again;
  await append(order.slice(2));
  expect(await chainOf(order[0]!.orderId)).toEqual(ids(order));
  expect(await chainOf(beside[0]!.orderId)).toEqual(ids(beside));
});

test('a later event waits for the transaction that begins its chain', async () => {
  const order = orderOf(2);
  const begun = await appendOpen(order.slice(0, 1));
  const next = append(order.slice(1));
  await Promise.race([untilBlocked(), next]).finally(begun.commit);
  await next;
  expect(await chainOf(order[0]!.orderId)).toEqual(ids(order));
});

test("a gap, or another content in an entry's place, is an error and leaves nothing", async () => {
  const [order, gap, other] = [orderOf(2), orderOf(3), orderOf(1)];
  await append(order);
  await expect(append([gap[0]!, gap[2]!, ...other])).rejects.toThrow(
    'event 3 cannot follow entry 1',
  );
  await expect(append(gap.slice(1))).rejects.toThrow('event 2 cannot follow entry 0');
  const changed = { ...order[0]!, payloadJson: '{"reference":true}' };
  await expect(append([...other, changed])).rejects.toThrow('event 1 cannot follow entry 2');
  for (const events of [gap, other]) expect(await chainOf(events[0]!.orderId)).toEqual([]);
  expect(await chainOf(order[0]!.orderId)).toEqual(ids(order));
});
