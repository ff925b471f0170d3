import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { OutgoingMessage } from '@pto/bus';
import type { Database } from '@pto/database';
import { until } from '@pto/testing';
import { startRelay } from '../../src/index.ts';
import { recordingBus } from '../recording-bus.ts';
import { openSendingDatabase, sendingService, silentTelemetry } from '../sending-service.ts';
import { startRelayProcess } from '../start-relay-process.ts';

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
/** Starts a relay with a pool of its own. */
const start = async (
  on: Partial<ReturnType<typeof bus.of>> = {},
  of?: (db: Database) => Database,
) => {
  const name = `relay ${++started}`;
  const db = await openSendingDatabase(service.database.serviceUrl, silentTelemetry());
  const relay = startRelay({
    db: of?.(db) ?? db,
    bus: { ...bus.of(name), ...on },
    telemetry: silentTelemetry(),
    readersOf: () => [],
    idlePollMs: 20,
  });
  const stop = async () => {
    if (!stops.delete(stop)) return;
    await relay.stop();
    await db.close();
  };
  stops.add(stop);
  return { name, stop };
};

/** The sessions that hold the lease. */
const holders = () =>
  service.db.query<{ pid: number }>(
    `select l.pid from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.classid = 5661 and l.granted`,
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

test('one relay of three sends at a time, each row once and in order, through a rolling restart', async () => {
  const relays = [await start(), await start(), await start()];
  const writers = startWriters();
  for (const relay of relays) {
    const before = bus.arrived();
    await until(() => bus.arrived() > before + 100, { what: 'rows that were sent meanwhile' });
    expect((await holders()).length).toBeLessThanOrEqual(1);
    await start();
    await relay.stop();
  }
  await writers.stop();
  expect(bus.senders().size).toBeGreaterThan(1);
});

test('another relay sends the rows of one that is stopped, which sends nothing when it goes on', async () => {
  const other = await startRelayProcess(service);
  stops.add(other.kill);
  await until(async () => (await holders()).length === 1, { what: 'the lease of the process' });
  const relay = await start();
  other.suspend();
  await service.add([service.message('a', 1)]);
  await until(() => bus.arrived() === 1, { what: 'the row', deadlineMs: 30_000 });
  other.resume();
  for (let n = 2; n < 20; n++) {
    await service.add([service.message('a', n)]);
    await until(() => bus.arrived() === n, { what: 'the next row' });
  }
  expect([...bus.senders()]).toEqual([relay.name]);
  expect(service.arrived).toEqual([]);
}, 60_000);

test('a relay publishes nothing of rows that it has read when its lease was lost', async () => {
  const published: OutgoingMessage[] = [];
  const { promise: read, resolve: hasRead } = Promise.withResolvers<void>();
  const { promise: later, resolve: goOn } = Promise.withResolvers<void>();
  let isFirst = true;
  await start(
    {
      publish: async (messages) => {
        published.push(...messages);
      },
    },
    (db) => ({
      ...db,
      query: async (text, values) => {
        const rows = await db.query(text, values);
        if (isFirst && text.includes('from "outbox"') && rows.length > 0) {
          isFirst = false;
          hasRead();
          await later;
        }
        return rows as never;
      },
    }),
  );
  await until(async () => (await holders()).length === 1, { what: 'the lease' });
  await service.add([service.message('a', 1)]);
  await read;
  const taker = await service.db.session();
  await service.db.query('select pg_terminate_backend($1)', [(await holders())[0]!.pid]);
  await until(
    async () =>
      (await taker.query<{ got: boolean }>('select pg_try_advisory_lock(5661, 0) as got')).rows[0]!
        .got,
    { what: 'the lease of another process' },
  );
  goOn();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(published).toEqual([]);
  taker.release(true);
  await until(() => published.length === 1, { what: 'the row after the lease was free again' });
});

test('rows whose marks were lost with the database are not sent again by the same relay', async () => {
  let fails = false;
  await start({}, (db) => ({
    ...db,
    query: async (text, values) => {
      if (fails && text.includes('"outbox"')) throw new Error('the database is unavailable');
      return db.query(text, values) as never;
    },
  }));
  const publish = bus.arrived;
  await service.add([service.message('a', 1)]);
  await until(
    () => {
      if (publish() > 0) fails = true;
      return fails;
    },
    { what: 'the row, before it is marked' },
  );
  fails = false;
  await until(async () => (await service.depth()) === 0, { what: 'the mark' });
  expect(bus.arrived()).toBe(1);
});

test('a relay that stops marks what it has sent, so that the next one does not send it again', async () => {
  const { stop } = await start();
  await service.add([service.message('a', 1)]);
  await until(() => bus.arrived() === 1, { what: 'the row' });
  await stop();
  expect(await service.depth()).toBe(0);
});

test('the relay that sends keeps its lease while the bus takes longer than the server waits', async () => {
  const { promise: acknowledged, resolve: acknowledge } = Promise.withResolvers<void>();
  let isPublishing = false;
  await start({
    publish: async () => {
      isPublishing = true;
      await acknowledged;
    },
  });
  await service.add([service.message('a', 1)]);
  await until(() => isPublishing, { what: 'a batch that is published' });
  const [holder] = await holders();
  await new Promise((resolve) => setTimeout(resolve, 12_000)); // the server waits for 10 s
  expect(await holders()).toEqual([holder]);
  acknowledge();
}, 60_000);
