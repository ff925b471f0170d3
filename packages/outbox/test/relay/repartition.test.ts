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
import { type PartitionTimings, partitionTimings } from '../../src/topic-partitions.ts';
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

/** Starts a relay with a pool of its own, which compares the numbers of partitions often. */
const startOne = async (bus: RelayBus, timings: Partial<PartitionTimings> = {}) => {
  const telemetry = silentTelemetry();
  const db = await openSendingDatabase(service.database.serviceUrl, telemetry);
  const relay = startRelay({
    db,
    bus,
    telemetry,
    readersOf: () => ['slow-reader'],
    idlePollMs: 20,
    timings: { ...partitionTimings, lookEveryMs: 100, settledAfterMs: 0, ...timings },
  });
  stops.push(db.close, relay.stop);
  return relay;
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

const onKafka = stores().kafka ? test : test.skip;

onKafka(
  'partitions that are added under load are used, and each key stays in order',
  async () => {
    const { bus, topic, arrived } = await kafkaTopic();
    // until producers and consumers know the partitions
    const patient = { settledAfterMs: 11_000, retryAfterMs: 0, handledWithinMs: 30_000 };
    for (let n = 0; n < 3; n++) await startOne(bus, patient);
    const writer = startWriter(topic, arrived);
    await until(() => arrived.length > 500, { what: 'messages of the three partitions' });
    expect(await storedNumber(topic)).toBe(3);
    await addPartitions(topic, 7);
    await until(async () => (await storedNumber(topic)) === 7, {
      what: 'the new number',
      deadlineMs: 120_000,
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
  240_000,
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

/** Ends the session of the relay that sends. */
const endHolder = () =>
  service.db.query(
    `select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.classid = 5661`,
  );

const untilSent = async (sent: readonly unknown[]) => {
  const before = sent.length;
  await service.add([service.message('a', before)]);
  await until(() => sent.length > before, { what: 'the row' });
};

test('the number stays while a consumer does not handle what was sent, and rows wait 5 s', async () => {
  const { state, sent, bus } = pretended(1);
  let asked = 0;
  await startOne({ ...bus, lag: async () => ++asked && state.lag });
  await untilSent(sent);
  state.partitions = 6;
  await until(() => asked > 1, { what: 'a wait for the consumer' });
  const before = sent.length;
  await untilSent(sent);
  expect(sent).toHaveLength(before + 1);
  expect(await storedNumber(service.topic)).toBe(3);
  expect(new Set(sent.map(({ partitions }) => partitions))).toEqual(new Set([3]));
});

test('rows do not wait for a consumer that is far behind', async () => {
  const { state, sent, bus } = pretended(1001);
  let asked = 0;
  await startOne({ ...bus, lag: async () => ++asked && state.lag });
  await untilSent(sent);
  state.partitions = 6;
  await until(() => asked > 0, { what: 'a look at the consumer' });
  for (let n = 0; n < 8; n++) await untilSent(sent);
  expect(asked).toBe(1); // a wait asks again and again
  expect(await storedNumber(service.topic)).toBe(3);
});

test('a relay that loses its lease while it waits for a consumer changes no number', async () => {
  const { state, sent, bus } = pretended(1);
  let asked = 0;
  await startOne({ ...bus, lag: async () => ++asked && state.lag });
  await untilSent(sent);
  state.partitions = 6;
  await until(() => asked > 1, { what: 'a wait for the consumer' });
  await endHolder();
  const taker = await service.db.session();
  stops.push(async () => taker.release(true));
  const take = 'select pg_try_advisory_lock(5661, 0) as got';
  await until(async () => (await taker.query<{ got: boolean }>(take)).rows[0]!.got, {
    what: 'the lease of another process',
  });
  state.lag = 0;
  const before = asked;
  await until(() => asked > before, { what: 'the end of the wait' });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await storedNumber(service.topic)).toBe(3);
});

test('a number that another relay has changed is used by the one that sends next', async () => {
  const { state, sent, bus } = pretended(0);
  await startOne(bus, { lookEveryMs: 3_600_000 });
  await untilSent(sent);
  state.partitions = 6;
  await service.db.query('update topic_partitions set partitions = 6');
  await untilSent(sent);
  expect(sent.at(-1)!.partitions).toBe(3);
  await endHolder();
  await untilSent(sent);
  expect(sent.at(-1)!.partitions).toBe(6);
});
