import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '@pto/database';
import { until } from '@pto/testing';
import { type Relay, startRelay } from '../../src/index.ts';
import { familyOfKey } from '../../src/outbox.ts';
import { sendingService, silentTelemetry } from '../sending-service.ts';

let service: Awaited<ReturnType<typeof sendingService>>;
const relays: Relay[] = [];
beforeEach(async () => {
  service = await sendingService();
});
afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.stop()));
  await service.stop();
});

/** Starts a relay that looks for rows once an hour unless it is woken. */
const startOne = (db: Database = service.db) => {
  const { bus } = service;
  relays.push(
    startRelay({
      db,
      bus,
      telemetry: silentTelemetry(),
      readersOf: () => [],
      idlePollMs: 3_600_000,
    }),
  );
};

/** Returns a database that counts the reads of the outbox. */
const countingReads = () => {
  const { db } = service;
  const counted = { reads: 0 };
  const query: Database['query'] = (text, parameters) => {
    if (text.includes('from "outbox"')) counted.reads++;
    return db.query(text, parameters);
  };
  return Object.assign(counted, { db: { ...db, query } });
};

/** Waits until that many relays hold shards. */
const shardsHeld = (count: number) =>
  until(
    async () => {
      const held = await service.db.query<{ pid: number }>(
        `select distinct l.pid from pg_locks l join pg_database d on d.oid = l.database
         where d.datname = current_database() and l.locktype = 'advisory' and l.granted
           and l.classid = 5661`,
      );
      return held.length === count;
    },
    { what: 'shards for each relay' },
  );

/** Starts relays and waits until each has its shards. */
const startRelays = async (count: number): Promise<Relay[]> => {
  for (let n = 0; n < count; n++) startOne();
  await shardsHeld(count);
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

/** Until then a relay looks for rows soon again without being woken. */
const allMarked = () =>
  until(async () => (await service.depth()) === 0, { what: 'the rows to be marked' });

test('an idle relay sends at once what a commit wakes it for', async () => {
  const [relay] = await startRelays(1);
  for (const n of [1, 2, 3]) {
    await allMarked();
    await writeAll(n);
    relay!.wake();
    await allArrived(n + 1);
  }
});

test('a commit in one replica wakes the relays of the others, which hold shards', async () => {
  const [first] = await startRelays(2);
  for (const n of [1, 2, 3]) {
    await allMarked();
    await writeAll(n);
    first!.wake();
    await allArrived(n + 1);
  }
  expect(keys.flatMap((key) => service.numbers(key))).toEqual(keys.flatMap(() => [0, 1, 2, 3]));
});

test('a notification without families, of the release before, wakes all relays', async () => {
  const { db } = service;
  await startRelays(2);
  await allMarked();
  await writeAll(1);
  await db.query("select pg_notify('outbox_written', '')");
  await allArrived(2);
});

test('a commit wakes only the relays that own the shards of its keys', async () => {
  const counted = [countingReads(), countingReads()];
  for (const { db } of counted) startOne(db);
  await shardsHeld(2);
  await writeAll(0);
  for (const relay of relays) relay.wake();
  await allArrived(1);
  await allMarked();
  const [writer] = relays;
  const rested = counted.map(({ reads }) => reads);
  for (const n of [1, 2, 3]) {
    for (const key of keys.filter((one) => familyOfKey(one) === familyOfKey(keys[0]!))) {
      await service.add([service.message(key, n)]);
      writer!.wake([key]);
      await until(() => service.numbers(key).length === n + 1, { what: 'the row' });
    }
    await allMarked();
  }
  const reads = counted.map((one, n) => one.reads - rested[n]!);
  expect(Math.min(...reads)).toBe(0);
  expect(Math.max(...reads)).toBeGreaterThan(0);
});

test('a relay sends the rows of a shard at once when it acquires the shard', async () => {
  await startRelays(1);
  await allMarked();
  await writeAll(1);
  startOne();
  await until(() => keys.some((key) => service.numbers(key).length === 2), {
    what: 'the rows of the shards that the second relay acquired',
  });
});

test('sent rows are marked without a further commit', async () => {
  await startRelays(1);
  await allMarked();
});

test('more rows than one batch are sent without a further wake signal', async () => {
  const [relay] = await startRelays(1);
  await service.add(Array.from({ length: 1100 }, (_, n) => service.message('key-0', n + 1)));
  relay!.wake();
  await until(() => service.numbers('key-0').length === 1101, { what: 'all rows' });
});
