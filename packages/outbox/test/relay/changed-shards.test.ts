import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { startRelay } from '../../src/index.ts';
import { startEarlierRelease } from '../earlier-release.ts';
import { recordingBus } from '../recording-bus.ts';
import { openSendingDatabase, sendingService, silentTelemetry } from '../sending-service.ts';

let service: Awaited<ReturnType<typeof sendingService>>;
let bus: ReturnType<typeof recordingBus>;
const stops = new Set<() => Promise<unknown>>();
beforeEach(async () => {
  service = await sendingService();
  bus = recordingBus();
});
afterEach(async () => {
  await Promise.all([...stops].map((stop) => stop()));
  stops.clear();
  await service.stop();
});

let started = 0;
const withDatabase = async (
  name: string,
  start: (db: typeof service.db) => { stop(): Promise<unknown> },
) => {
  const db = await openSendingDatabase(service.database.serviceUrl, silentTelemetry());
  const running = start(db);
  const stop = async () => {
    if (!stops.delete(stop)) return;
    await running.stop();
    await db.close();
  };
  stops.add(stop);
  return { name, stop };
};

/** Starts a relay with a pool of its own, which reads the outbox every 20 ms. */
const start = (shards: number) => {
  const name = `relay ${++started} of ${shards}`;
  return withDatabase(name, (db) =>
    startRelay({
      db,
      bus: bus.of(name),
      telemetry: silentTelemetry(),
      readersOf: () => [],
      shards,
      idlePollMs: 20,
    }),
  );
};

/** Starts a relay of a release without `OUTBOX_SHARDS`. */
const startEarlier = () => {
  const name = `earlier ${++started}`;
  return withDatabase(name, (db) => startEarlierRelease(db, bus.of(name)));
};

/** Waits until all shards of a division are held, and no others. */
const untilDivided = (count: number) =>
  until(
    async () => {
      const held = await service.db.query<{ shard: number }>(
        `select l.objid::int as shard from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = current_database() and l.classid = 5661 and l.granted
          and l.mode = 'ExclusiveLock'`,
      );
      const isOf = (shard: number) =>
        count === 4 ? shard < 4 : shard >= count && shard < 2 * count;
      return held.length === count && held.every(({ shard }) => isOf(shard));
    },
    { what: `a division into ${count}` },
  );

/** Writes rows of 64 keys until it is stopped; four writers have 16 keys each. */
const startWriters = () => {
  let isStopped = false;
  const written = new Map<string, number>();
  const write = async (writer: number) => {
    const keys = Array.from({ length: 16 }, (_, n) => `key ${writer}/${n}`);
    for (let n = 0; !isStopped; n++) {
      await service.add(keys.map((key) => service.message(key, n)));
      for (const key of keys) written.set(key, n + 1);
    }
  };
  const writers = Array.from({ length: 4 }, (_, writer) => write(writer));
  return {
    /** Stops writing, and checks that each row was sent once, in order, by one relay at a time. */
    stop: async () => {
      isStopped = true;
      await Promise.all(writers);
      await until(async () => (await service.depth()) === 0, { what: 'an empty outbox' });
      const numbers = bus.numbers();
      for (const [key, count] of written)
        expect([key, numbers.get(key)]).toEqual([key, Array.from({ length: count }, (_, n) => n)]);
      expect(bus.overlaps).toEqual([]);
    },
  };
};

/** Replaces relays one after the other by relays with another number of shards. */
const replace = async (relays: readonly { stop(): Promise<void> }[], shards: number) => {
  const replaced: Awaited<ReturnType<typeof start>>[] = [];
  for (const relay of relays) {
    replaced.push(await start(shards));
    const before = bus.arrived();
    await until(() => bus.arrived() > before + 100, { what: 'rows that were sent meanwhile' });
    await relay.stop();
  }
  await untilDivided(shards);
  return replaced;
};

test('shards are raised to 16 and lowered again by a rolling restart under load', async () => {
  const relays = await Promise.all([start(4), start(4), start(4)]);
  await untilDivided(4);
  const writers = startWriters();
  await replace(await replace(relays, 16), 4);
  await writers.stop();
});

test('five relays with 16 shards all send', async () => {
  const relays = await Promise.all([start(16), start(16), start(16), start(16), start(16)]);
  const writers = startWriters();
  const names = relays.map(({ name }) => name).sort();
  await until(() => `${[...bus.senders()].sort()}` === `${names}`, { what: 'rows of each relay' });
  await writers.stop();
});

test('beside a relay of an earlier release four shards are used, and each relay sends', async () => {
  await start(16);
  await start(64);
  await untilDivided(16);
  const writers = startWriters();
  const earlier = await startEarlier();
  await untilDivided(4);
  await until(() => bus.senders().size === 3, { what: 'rows of each relay' });
  await earlier.stop();
  await untilDivided(16);
  const again = await startEarlier();
  await until(() => bus.senders().has(again.name), { what: 'rows of the earlier release' });
  await writers.stop();
});
