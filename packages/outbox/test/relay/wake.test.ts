import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { type Relay, startRelay } from '../../src/index.ts';
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
const startOne = () => {
  const { bus, db } = service;
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

/** Waits until a relay holds the lease. */
const isHeld = () =>
  until(
    async () => {
      const held = await service.db.query<{ pid: number }>(
        `select distinct l.pid from pg_locks l join pg_database d on d.oid = l.database
         where d.datname = current_database() and l.locktype = 'advisory' and l.granted
           and l.classid = 5661`,
      );
      return held.length === 1;
    },
    { what: 'the lease' },
  );

/** Starts relays and waits until the first sends. */
const startRelays = async (count: number): Promise<Relay[]> => {
  startOne();
  await isHeld();
  for (let n = 1; n < count; n++) startOne();
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

test('a commit in one replica wakes the relay of another one, which sends', async () => {
  const [, other] = await startRelays(2);
  for (const n of [1, 2, 3]) {
    await allMarked();
    await writeAll(n);
    other!.wake();
    await allArrived(n + 1);
  }
  expect(keys.flatMap((key) => service.numbers(key))).toEqual(keys.flatMap(() => [0, 1, 2, 3]));
});

test('a relay sends the rows that wait when it acquires the lease', async () => {
  const [first] = await startRelays(2);
  await allMarked();
  await writeAll(1);
  await first!.stop();
  await allArrived(2);
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

test('commits do not shorten the rest of a relay whose bus fails', async () => {
  const attempts: number[] = [];
  const relay = service.relay({
    publish: async () => {
      attempts.push(performance.now());
      throw new Error('the bus is unavailable');
    },
  });
  relays.push(relay);
  await service.add([service.message('a', 1)]);
  await until(
    () => {
      relay.wake();
      return attempts.length >= 4;
    },
    { what: 'the fourth attempt' },
  );
  // 100, 200 and 400 ms, each 20 % less at most
  expect(attempts[3]! - attempts[0]!).toBeGreaterThanOrEqual(560);
});
