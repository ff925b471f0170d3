import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Bus, OutgoingMessage } from '@pto/bus';
import type { Database } from '@pto/database';
import { until } from '@pto/testing';
import { relayMetrics } from '../../src/relay-metrics.ts';
import { createShardWork } from '../../src/shard-work.ts';
import { families, shardsOf } from '../../src/shards.ts';
import { sendingService, silentTelemetry } from '../sending-service.ts';

let service: Awaited<ReturnType<typeof sendingService>>;
beforeEach(async () => {
  service = await sendingService();
});
afterEach(() => service.stop());

const shards = shardsOf(families);
const keys = Array.from({ length: 16 }, (_, n) => `key-${n}`);

/** The work of one relay, without its loop; `published` has the batches. */
const shardWork = ({
  database = service.db,
  publish = async () => {},
  owned = () => true,
  gatherMs,
}: Partial<{
  database: Database;
  publish: Bus['publish'];
  owned: () => boolean;
  gatherMs: number;
}> = {}) => {
  const published: (readonly OutgoingMessage[])[] = [];
  let wakes = 0;
  const work = createShardWork({
    db: database,
    telemetry: service.telemetry,
    metrics: relayMetrics(silentTelemetry().metrics, service.db),
    bus: {
      publish: async (messages) => {
        published.push(messages);
        await publish(messages);
      },
    },
    owned,
    ...(gatherMs !== undefined && { gatherMs }),
    done: () => {
      wakes++;
    },
  });
  return {
    ...work,
    published,
    wakes: () => wakes,
    /** Reads all shards and sends what is found; its marks are left for the next read. */
    send: async () => {
      await work.start(shards);
      await new Promise((resolve) => setImmediate(resolve)); // `publish` ends in this turn
    },
  };
};

const writeAll = (n: number) => service.add(keys.map((key) => service.message(key, n)));
const unsent = async () =>
  (await service.db.query('select from outbox where sent_at is null')).length;
const idsOf = (batches: readonly (readonly OutgoingMessage[])[]) =>
  batches.flat().map(({ id }) => id);

test('a read marks what was sent before, and finds only what was written since', async () => {
  const work = shardWork();
  for (const n of [1, 2, 3]) {
    await writeAll(n);
    await work.send();
    expect(await unsent()).toBe(keys.length);
  }
  await work.start(shards);
  expect(await unsent()).toBe(0);
  expect(idsOf(work.published)).toHaveLength(3 * keys.length);
  expect(new Set(idsOf(work.published)).size).toBe(3 * keys.length);
});

test('rows whose marks were lost with the database are not sent again by this relay', async () => {
  const { db } = service;
  let fails = false;
  const query: typeof db.query = async (text, values) => {
    if (fails) throw new Error('the database is unavailable');
    return db.query(text, values);
  };
  const work = shardWork({ database: { ...db, query } });
  await writeAll(1);
  await work.send();
  fails = true;
  await expect(work.start(shards)).rejects.toThrow('unavailable');
  fails = false;
  await work.start(shards);
  expect(await unsent()).toBe(0);
  expect(idsOf(work.published)).toHaveLength(keys.length);
});

test('a shard that is finished is marked, so that its next owner does not send it again', async () => {
  const work = shardWork();
  await writeAll(1);
  await work.send();
  await Promise.all(shards.map(work.finish));
  expect(await unsent()).toBe(0);
  expect(work.isSending()).toBe(false);
});

test('a batch with all rows of its shard causes no further read', async () => {
  const work = shardWork();
  await writeAll(1);
  await work.send();
  await Promise.all(shards.map(work.finish));
  expect(work.published.length).toBeGreaterThan(0);
  expect(work.wakes()).toBe(0);
});

test('after a full batch its shard is read again', async () => {
  const work = shardWork();
  await service.add(Array.from({ length: 501 }, (_, n) => service.message('key-0', n)));
  await work.send();
  expect(work.wakes()).toBe(1);
  expect(work.published[0]).toHaveLength(500);
});

test('a start while a shard is being sent reads the shard after that', async () => {
  const { promise: acknowledged, resolve: acknowledge } = Promise.withResolvers<void>();
  const work = shardWork({ publish: () => acknowledged });
  await service.add([service.message('key-0', 1)]);
  await work.start(shards);
  await service.add([service.message('key-0', 2)]);
  await work.start(shards); // reads the other shards, because the batch takes too long
  expect(work.wakes()).toBe(0);
  acknowledge();
  await until(() => work.wakes() === 1, { what: 'the relay to be woken' });
  await work.start(shards);
  expect(work.published.flat().map(({ value }) => `${value}`)).toEqual(['1', '2']);
});

test('a read waits for the batches that are being sent', async () => {
  const { promise: acknowledged, resolve: acknowledge } = Promise.withResolvers<void>();
  const work = shardWork({ publish: () => acknowledged });
  await writeAll(1);
  await work.start(shards);
  await writeAll(2);
  const second = work.start(shards);
  setImmediate(acknowledge);
  await second;
  expect(await unsent()).toBe(keys.length);
  expect(idsOf(work.published)).toHaveLength(2 * keys.length);
});

test('a shard with a backlog is read while the batches of other shards are being sent', async () => {
  const never = new Promise<void>(() => {});
  const work = shardWork({
    gatherMs: 600_000,
    publish: (messages) => (messages.length < 500 ? never : Promise.resolve()),
  });
  await service.add([
    ...Array.from({ length: 1000 }, (_, n) => service.message('key-0', n)),
    ...keys.slice(1).map((key) => service.message(key, 1)),
  ]);
  const backlog = () => work.published.filter(([first]) => first?.key === 'key-0');
  await work.send();
  await work.send();
  expect(backlog().map((batch) => batch.length)).toEqual([500, 500]);
});

test('a batch that is never acknowledged does not delay the other shards', async () => {
  const never = new Promise<void>(() => {});
  const work = shardWork({
    publish: (messages) =>
      messages.some(({ key }) => key === 'key-0') ? never : Promise.resolve(),
  });
  await service.add([service.message('key-0', 1)]);
  await work.start(shards);
  await writeAll(2);
  void work.start(shards);
  await until(() => work.published.length > 1, { what: 'the batches of the other shards' });
});

test('publishes nothing of a shard that was lost while its rows were read', async () => {
  const { add, message, db } = service;
  await add([message('a', 1)]);
  const [row] = await db.query<{ shard: number }>('select shard from outbox');
  let isHeld = true;
  const work = shardWork({ owned: () => isHeld });
  const waits = () =>
    db.query(
      `select from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and not granted and locktype = 'relation'`,
    );
  await db.transaction(async (tx) => {
    await tx.query('lock table outbox in access exclusive mode');
    void work.start([row!.shard]);
    await until(async () => (await waits()).length === 1, { what: 'the read to wait' });
    isHeld = false;
  });
  await until(() => work.wakes() === 1, { what: 'the end of the batch' });
  expect(work.published).toHaveLength(0);
  expect(await unsent()).toBe(1);
});
