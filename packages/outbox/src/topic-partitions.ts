/**
 * The number of partitions among which the keys of a topic are divided. It is stored, so that it
 * changes only when every consumer has handled what was sent: a key that moves to another partition
 * while its messages wait in the old one would be read out of order.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { defineEntity, p } from '@mikro-orm/core';
import type { Bus, OutgoingMessage } from '@pto/bus';
import { type Database, execute, tablesOf } from '@pto/database';
import type { Logger } from '@pto/telemetry';
import type { Lease } from './lease.ts';

/** Statements for a service's migration. */
export const topicPartitionsTable: readonly string[] = [
  `create table topic_partitions (
    topic text primary key,
    partitions int not null check (partitions > 0)
  )`,
];

export const TopicPartitionsEntity = defineEntity({
  name: 'TopicPartitions',
  tableName: 'topic_partitions',
  properties: { topic: p.text().primary(), partitions: p.integer() },
});

const tables = tablesOf([TopicPartitionsEntity]);

/** The times of a change, in ms. */
export type PartitionTimings = typeof partitionTimings;

export const partitionTimings = {
  lookEveryMs: 10_000,
  /**
   * How long a number must differ before it is used: consumers and producers know all partitions of a
   * topic 10 s after they were added.
   */
  settledAfterMs: 15_000,
  /** Maximum time in which the consumers handle what was sent. Rows wait in the outbox meanwhile. */
  handledWithinMs: 5000,
  /** Time from an attempt to the next one. */
  retryAfterMs: 60_000,
};
/** Maximum number of events that a consumer may be behind before the relay waits for it. */
const behindMax = 1000;
const askEveryMs = 50;

const stored = async (db: Database): Promise<ReadonlyMap<string, number>> => {
  const rows = await execute(db, tables.selectFrom('topic_partitions').selectAll());
  return new Map(rows.map(({ topic, partitions }) => [topic, partitions]));
};

/** Returns functions that add the stored number of partitions to messages, and change it. */
export const createTopicPartitions = (options: {
  readonly db: Database;
  readonly bus: Pick<Bus, 'ends' | 'lag'>;
  readonly readersOf: (topic: string) => readonly string[];
  readonly lease: Pick<Lease, 'query'>;
  readonly log: Logger;
  readonly timings?: PartitionTimings;
}) => {
  const { db, bus, readersOf, lease, log, timings = partitionTimings } = options;
  let known: ReadonlyMap<string, number> = new Map();
  /**
   * Times of `performance.now()` since when topics have another number than the stored one; in the
   * future after an attempt.
   */
  const since = new Map<string, number>();
  let lookedAt = performance.now();

  const store = async (topic: string): Promise<void> => {
    const { size: partitions } = await bus.ends(topic);
    const first = tables.insertInto('topic_partitions').values({ topic, partitions });
    await execute(
      db,
      first.onConflict((conflict) => conflict.doNothing()),
    );
  };

  const lagOf = async (topic: string): Promise<number> =>
    Math.max(0, ...(await Promise.all(readersOf(topic).map((group) => bus.lag(group, topic)))));

  /** @throws Error if a consumer is far behind, or does not handle all in time. */
  const waitUntilHandled = async (topic: string, signal: AbortSignal): Promise<void> => {
    const deadline = performance.now() + timings.handledWithinMs;
    for (let lag = await lagOf(topic); lag > 0; lag = await lagOf(topic)) {
      signal.throwIfAborted();
      // one that does not run would only make the rows wait
      if (lag > behindMax || performance.now() > deadline)
        throw new Error(`a consumer of ${topic} is ${lag} events behind`);
      await sleep(askEveryMs);
    }
  };

  const use = async (topic: string, partitions: number, signal: AbortSignal): Promise<void> => {
    await waitUntilHandled(topic, signal);
    // is text because it belongs to the session of the lease
    const text = 'update topic_partitions set partitions = $2 where topic = $1';
    await lease.query(text, [topic, partitions]); // nobody else has sent meanwhile
    known = new Map();
    since.delete(topic);
    log.info({ topic, partitions }, 'the keys of the topic use its new partitions');
  };

  return {
    /** Reads the numbers again. Call this when the lease was acquired: they may have changed before. */
    forget: (): void => {
      known = new Map();
    },
    addTo: async (messages: readonly OutgoingMessage[]): Promise<readonly OutgoingMessage[]> => {
      for (const topic of new Set(messages.map((message) => message.topic))) {
        if (!known.has(topic)) known = await stored(db);
        if (known.has(topic)) continue;
        await store(topic);
        known = await stored(db);
      }
      return messages.map((message) => ({ ...message, partitions: known.get(message.topic)! }));
    },
    /**
     * Uses partitions that were added to a topic while relays and consumers run. The caller sends
     * nothing meanwhile, which takes a second or two. If a consumer is far behind or does not finish in
     * time, the number stays, and a call after a minute tries again.
     */
    follow: async (signal: AbortSignal): Promise<void> => {
      if (performance.now() - lookedAt < timings.lookEveryMs) return;
      lookedAt = performance.now();
      try {
        for (const [topic, partitions] of await stored(db)) {
          const { size } = await bus.ends(topic);
          if (size === partitions) since.delete(topic);
          else if (!since.has(topic)) since.set(topic, performance.now());
          const settled = performance.now() - timings.settledAfterMs;
          if (signal.aborted || (since.get(topic) ?? Number.POSITIVE_INFINITY) > settled) continue;
          since.set(topic, performance.now() + timings.retryAfterMs);
          await use(topic, size, signal);
        }
      } catch (err) {
        log.warn({ err }, 'the number of partitions could not be compared or changed yet');
      }
    },
  };
};
