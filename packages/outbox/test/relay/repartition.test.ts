import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  type Bus,
  busSettings,
  type IncomingMessage,
  type OutgoingMessage,
  openBus,
} from '@pto/bus';
import { readConfig } from '@pto/config';
import { stores, uniqueName, until } from '@pto/testing';
import { addPartitions } from '../../../bus/test/kafka/add-partitions.ts';
import { startRelay } from '../../src/index.ts';
import { leaseSql } from '../../src/lease-sql.ts';
import { startRepartition } from '../../src/repartition.ts';
import { startEarlierRelease } from '../earlier-release.ts';
import { openSendingDatabase, sendingService, silentTelemetry } from '../sending-service.ts';

let service: Awaited<ReturnType<typeof sendingService>>;
const stops: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  service = await sendingService();
});
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  await service.stop();
});

type RelayBus = Pick<Bus, 'publish' | 'ends' | 'lag'>;

/** Starts a relay with a pool of its own. */
const startOne = async (bus: RelayBus) => {
  const telemetry = silentTelemetry();
  const db = await openSendingDatabase(service.database.serviceUrl, telemetry);
  const relay = startRelay({ db, bus, telemetry, readersOf: () => [], idlePollMs: 20 });
  stops.push(db.close, relay.stop);
};

/** Compares and changes the numbers of partitions at once. */
const startFast = (bus: RelayBus, settledAfterMs: number) => {
  const { db, telemetry } = service;
  const worker = startRepartition({
    db,
    bus,
    readersOf: () => ['slow-reader'],
    isInCharge: () => true,
    log: telemetry.log,
    settledAfterMs,
    lookEveryMs: 100,
  });
  stops.push(worker.stop);
  return worker.stop;
};

const storedNumber = async (topic: string): Promise<number | undefined> => {
  const text = 'select partitions from topic_partitions where topic = $1';
  const [row] = await service.db.query<{ partitions: number }>(text, [topic]);
  return row?.partitions;
};

/** Writes a row of each key in turns until it is stopped; a few of each key are under way. */
const startWriter = (topic: string, arrived: readonly unknown[]) => {
  const keys = Array.from({ length: 48 }, (_, n) => `key ${n}`);
  let isStopped = false;
  const write = async () => {
    let n = 0;
    for (; !isStopped; n++) {
      await service.add(keys.map((key) => ({ ...service.message(key, n), topic })));
      const fewWait = () => isStopped || arrived.length > keys.length * (n - 5);
      await until(fewWait, { what: 'messages to arrive', deadlineMs: 60_000 });
    }
    return n;
  };
  const written = write();
  return {
    keys,
    stop: () => {
      isStopped = true;
      return written;
    },
  };
};

/** A topic on Kafka with a consumer that takes a while for each batch. */
const kafkaTopic = async () => {
  const brokers = stores().kafka!;
  const { settings } = readConfig(busSettings, { KAFKA_BROKERS: brokers.join(',') });
  const bus = await openBus(settings, service.telemetry);
  stops.push(bus.close);
  const topic = uniqueName('repartitioned');
  await bus.ensureTopics([{ name: topic, partitions: 3 }]);
  const arrived: IncomingMessage[] = [];
  await bus.subscribe({
    group: 'slow-reader',
    topic,
    handle: async (batch) => {
      const { promise: later, resolve } = Promise.withResolvers<void>();
      setTimeout(resolve, 300 * Math.random());
      await later;
      arrived.push(...batch);
    },
  });
  return { bus, topic, arrived };
};

/** Numbers of a key in the order of their first arrival. */
const numbersOf = (arrived: readonly IncomingMessage[], key: string): number[] => [
  ...new Set(
    arrived.filter((one) => one.key === key).map(({ value }) => Number(Buffer.from(value))),
  ),
];

test('the pause of a process that is stopped ends', async () => {
  const session = await service.db.session();
  stops.push(async () => session.release(true));
  session.on('error', () => {});
  const isEnded = Promise.withResolvers<void>();
  session.on('end', () => isEnded.resolve());
  await session.query(leaseSql.pause);
  await isEnded.promise; // by the server: the session sends nothing
  const next = await service.db.session();
  stops.push(async () => next.release(true));
  expect((await next.query<{ got: boolean }>(leaseSql.pause)).rows[0]!.got).toBe(true);
}, 30_000);

const onKafka = stores().kafka ? test : test.skip;

onKafka(
  'partitions that are added under load are used, and each key stays in order',
  async () => {
    const { bus, topic, arrived } = await kafkaTopic();
    for (let n = 0; n < 3; n++) await startOne(bus);
    const writer = startWriter(topic, arrived);
    await until(() => arrived.length > 500, { what: 'messages of the three partitions' });
    expect(await storedNumber(topic)).toBe(3);
    await addPartitions(topic, 7);
    startFast(bus, 11_000); // until producers and consumers know the partitions
    await until(async () => (await storedNumber(topic)) === 7, {
      what: 'the new number',
      deadlineMs: 60_000,
    });
    const before = arrived.length;
    await until(() => arrived.length > before + 1000, { what: 'messages of the new partitions' });
    const count = await writer.stop();
    const isComplete = (key: string) => numbersOf(arrived, key).length === count;
    await until(() => writer.keys.every(isComplete), { what: 'all rows', deadlineMs: 60_000 });
    expect(new Set(arrived.map(({ partition }) => partition)).size).toBe(7);
    const inOrder = Array.from({ length: count }, (_, n) => n);
    for (const key of writer.keys) expect(numbersOf(arrived, key)).toEqual(inOrder);
  },
  180_000,
);

/** A bus with as many partitions as the test sets, whose consumers have that lag. */
const pretended = (lag: number) => {
  const state = { partitions: 3, lag };
  const sent: OutgoingMessage[] = [];
  const bus: RelayBus = {
    publish: async (messages) => {
      sent.push(...messages);
    },
    ends: async () => new Map(Array.from({ length: state.partitions }, (_, n) => [n, 0n])),
    lag: async () => state.lag,
  };
  return { state, sent, bus };
};

/** Finds the session that pauses the relays. */
const pauses = `select l.pid from pg_locks l join pg_database d on d.oid = l.database
  where d.datname = current_database() and l.classid = 5663`;

const untilSent = async (sent: readonly unknown[]) => {
  const before = sent.length;
  await service.add([service.message('a', before)]);
  await until(() => sent.length > before, { what: 'the row' });
};

test('the number stays while a consumer does not handle what was sent', async () => {
  const { state, sent, bus } = pretended(1);
  await startOne(bus);
  await untilSent(sent);
  state.partitions = 6;
  let asked = 0;
  startFast({ ...bus, lag: async () => ++asked && state.lag }, 0);
  await until(() => asked > 1, { what: 'a pause of the relays' });
  await untilSent(sent);
  expect(await storedNumber(service.topic)).toBe(3);
  expect(new Set(sent.map(({ partitions }) => partitions))).toEqual(new Set([3]));
});

test('the relays do not pause for a consumer that is far behind', async () => {
  const { state, sent, bus } = pretended(1001);
  await startOne(bus);
  await untilSent(sent);
  state.partitions = 6;
  let asked = 0;
  startFast({ ...bus, lag: async () => ++asked && state.lag }, 0);
  await until(() => asked > 0, { what: 'a look at the consumer' });
  for (let n = 0; n < 8; n++) await untilSent(sent);
  expect(asked).toBe(1); // a pause asks again and again
  expect(await storedNumber(service.topic)).toBe(3);
});

test('the number stays while a relay of the release before sends', async () => {
  const { state, sent, bus } = pretended(0);
  await startOne(bus);
  await untilSent(sent);
  const db = await openSendingDatabase(service.database.serviceUrl, silentTelemetry());
  const earlier = startEarlierRelease(db, bus);
  stops.push(db.close, earlier.stop);
  await until(() => earlier.held().length > 0, { what: 'a shard of the release before' });
  state.partitions = 6;
  let asked = 0;
  startFast({ ...bus, lag: async () => ++asked }, 0);
  const isPaused = async () => (await service.db.query(pauses)).length > 0;
  await until(isPaused, { what: 'a pause' });
  await until(async () => !(await isPaused()), { what: 'its end', deadlineMs: 20_000 });
  for (let n = 0; n < 8; n++) await untilSent(sent);
  expect(asked).toBe(1); // before the pause
  expect(await storedNumber(service.topic)).toBe(3);
}, 60_000);

test('relays go on with the old number after the process that paused them is gone', async () => {
  const { state, sent, bus } = pretended(1);
  await startOne(bus);
  await untilSent(sent);
  state.partitions = 6;
  let asked = 0;
  startFast({ ...bus, lag: async () => ++asked }, 0);
  await until(() => asked > 1, { what: 'a pause of the relays' });
  await service.db.query(`select pg_terminate_backend(pid) from (${pauses}) as p`);
  await untilSent(sent);
  expect(await storedNumber(service.topic)).toBe(3);
});

test('a number that was changed is used by every relay', async () => {
  const { state, sent, bus } = pretended(0);
  await startOne(bus);
  await startOne(bus);
  await untilSent(sent);
  state.partitions = 6;
  startFast(bus, 0);
  await until(async () => (await storedNumber(service.topic)) === 6, { what: 'the new number' });
  const before = sent.length;
  const keys = Array.from({ length: 32 }, (_, n) => `key ${n}`);
  await service.add(keys.map((key) => service.message(key, 0)));
  await until(() => sent.length >= before + 32, { what: 'rows of all shards' });
  expect(new Set(sent.slice(before).map(({ partitions }) => partitions))).toEqual(new Set([6]));
});

test('a process that stops while the relays pause ends the pause at once', async () => {
  const { state, sent, bus } = pretended(1);
  await startOne(bus);
  await untilSent(sent);
  const db = await openSendingDatabase(service.database.serviceUrl, silentTelemetry());
  stops.push(db.close);
  const earlier = startEarlierRelease(db, bus);
  stops.push(earlier.stop);
  await until(() => earlier.held().length > 0, { what: 'a shard of the release before' });
  state.partitions = 6;
  const stop = startFast(bus, 0);
  const isPaused = async () => (await service.db.query(pauses)).length > 0;
  await until(isPaused, { what: 'a pause, which waits for the release before' });
  const stopped = stop();
  await until(async () => !(await isPaused()), { what: 'its end', deadlineMs: 3000 });
  await stopped;
});
