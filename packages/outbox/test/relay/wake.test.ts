import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Bus } from '@pto/bus';
import type { Database } from '@pto/database';
import { until } from '@pto/testing';
import { type Relay, startRelay } from '../../src/index.ts';
import { sendingService } from '../sending-service.ts';

let service: Awaited<ReturnType<typeof sendingService>>;
const relays: Relay[] = [];
beforeEach(async () => {
  service = await sendingService();
});
afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.stop()));
  await service.stop();
});

type Sender = Pick<Bus, 'publish'>;

/** Relays that look for rows once an hour unless they are woken, each with its shards. */
const startRelays = async (
  count: number,
  { database = service.db, bus = service.bus }: Partial<{ database: Database; bus: Sender }> = {},
): Promise<Relay[]> => {
  const { db, telemetry } = service;
  for (let n = 0; n < count; n++)
    relays.push(startRelay({ db: database, bus, telemetry, idlePollMs: 3_600_000 }));
  await until(
    async () => {
      const held = await db.query<{ pid: number }>(
        `select distinct l.pid from pg_locks l join pg_database d on d.oid = l.database
         where d.datname = current_database() and l.locktype = 'advisory' and l.granted
           and l.objsubid = 2 and l.objid < 4`,
      );
      return held.length === count;
    },
    { what: 'shards for each relay' },
  );
  // what is here before the first poll is found by it
  await writeAll(0);
  for (const relay of relays) relay.wake();
  await allArrived(1);
  return relays;
};

const keys = Array.from({ length: 16 }, (_, n) => `key-${n}`);
const writeAll = (n: number) => service.add(keys.map((key) => service.message(key, n)));
const allArrived = (count: number) =>
  until(() => keys.every((key) => service.numbers(key).length === count), { what: 'all rows' });

test('an idle relay sends at once what a commit wakes it for', async () => {
  const [relay] = await startRelays(1);
  for (const n of [1, 2, 3]) {
    await writeAll(n);
    relay!.wake();
    await allArrived(n + 1);
  }
});

test('a commit in one replica wakes the relays of the others, which hold shards', async () => {
  const [first] = await startRelays(2);
  for (const n of [1, 2, 3]) {
    await writeAll(n);
    first!.wake();
    await allArrived(n + 1);
  }
  expect(keys.flatMap((key) => service.numbers(key))).toEqual(keys.flatMap(() => [0, 1, 2, 3]));
});

test('rows that were all read at once are not looked for again', async () => {
  const { db } = service;
  let reads = 0;
  const query: typeof db.query = (text, values) => {
    if (/select .* from "?outbox/s.test(text) && values?.length === 2) reads++;
    return db.query(text, values);
  };
  const [relay] = await startRelays(1, { database: { ...db, query } });
  await until(async () => (await relay!.depth()) === 0, { what: 'the first rows to be marked' });
  expect(reads).toBeGreaterThan(0);
  reads = 0;
  for (let n = 1; n <= 10; n++) {
    await writeAll(n);
    relay!.wake();
    await until(async () => (await relay!.depth()) === 0, { what: 'all rows to be marked' });
  }
  // one read for each commit; a commit can come just before the relay knows of its last mark
  expect(reads).toBeGreaterThanOrEqual(10);
  expect(reads).toBeLessThan(15);
});

test('a row that is committed while its shard is being sent is sent after it', async () => {
  let gate = Promise.resolve();
  let waiting = 0;
  const bus: Sender = {
    publish: async (messages) => {
      waiting++;
      await gate;
      waiting--;
      await service.bus.publish(messages);
    },
  };
  const [relay] = await startRelays(1, { bus });
  await until(() => waiting === 0, { what: 'the first rows' });
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  await service.add([service.message('key-0', 1)]);
  relay!.wake();
  await until(() => waiting === 1, { what: 'a batch that is being sent' });
  await service.add([service.message('key-0', 2)]);
  relay!.wake();
  await service.db.query('select 1'); // the relay's tick has begun
  resolve();
  await until(() => service.numbers('key-0').length === 3, { what: 'the later row' });
});

test('more rows than one batch are sent without a further wake signal', async () => {
  const [relay] = await startRelays(1);
  await service.add(Array.from({ length: 1100 }, (_, n) => service.message('key-0', n + 1)));
  relay!.wake();
  await until(() => service.numbers('key-0').length === 1101, { what: 'all rows' });
});
