import { execute, fragment, type Given, statement } from '@pto/database';
import type { Telemetry } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import type { BusPool } from './bus-pool.ts';
import { tables } from './bus-schema.ts';

const sweepEveryMs = 10 * 60_000;
const batchMax = 1000;

/**
 * Deletes messages that each group has handled and that are older than the retention, in bounded
 * steps. Concurrent calls skip each other's rows. A message is never deleted before each known
 * group of its topic has read it: a group has an offset from its first subscription on, the delete
 * uses the lowest offset, and offsets never decrease. So a group that has stopped forever retains
 * its messages; bus_consumer_lag shows this. Without a group all old messages are deleted.
 * @returns the number of deleted messages.
 */
export const sweepMessages = async (
  pool: BusPool,
  retentionMs: number,
  signal?: AbortSignal,
): Promise<number> => {
  const partitions = await execute(
    pool,
    tables
      .selectFrom('topic_partitions')
      .select(['topic', 'partition'])
      .orderBy('topic')
      .orderBy('partition'),
  );
  let total = 0;
  for (const { topic, partition } of partitions) {
    for (let more = true; more && !signal?.aborted; ) {
      const [row] = await deleteBatch(pool, { topic, partition, retentionMs });
      total += row!.deleted;
      more = row!.deleted === batchMax;
    }
  }
  return total;
};

/**
 * Deletes up to `batchMax` messages of a partition: `old` are those that each group has handled, in
 * the order of the primary key.
 */
const deleteBatch = statement(
  (given: Given<{ topic: string; partition: number; retentionMs: number }>) =>
    tables
      .with('finished', (db) =>
        db
          .selectFrom('subscriptions as s')
          .innerJoin('subscription_offsets as o', 'o.subscription', 's.id')
          .where('o.partition', '=', given.partition)
          .where('s.topic', '=', given.topic)
          .select(({ fn }) => fn.min('o.next_offset').as('below')),
      )
      .with('old', (db) =>
        db
          .selectFrom(['messages as m', 'finished as f'])
          .select('m.offset')
          .where('m.topic', '=', given.topic)
          .where('m.partition', '=', given.partition)
          .where(({ eb, or }) =>
            or([eb('f.below', 'is', null), eb('m.offset', '<', eb.ref('f.below'))]),
          )
          .where(
            'm.published_at',
            '<',
            fragment<string>`now() - ${given.retentionMs} * interval '1 millisecond'`,
          )
          .orderBy('m.offset')
          .limit(fragment.lit(batchMax))
          .forUpdate('m')
          .skipLocked(),
      )
      .with('gone', (db) =>
        db
          .deleteFrom('messages as m')
          .using('old')
          .where('m.topic', '=', given.topic)
          .where('m.partition', '=', given.partition)
          .whereRef('m.offset', '=', 'old.offset')
          .returning('m.offset'),
      )
      .selectFrom('gone')
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('deleted')),
);

const pauseMs = (): number => sweepEveryMs * (0.5 + Math.random());

/** Deletes old messages until it is stopped, after pauses of 5 to 15 minutes. */
export const startRetention = (
  pool: BusPool,
  retentionMs: number,
  telemetry: Telemetry,
): { stop(): Promise<void> } =>
  startWorker({
    firstPauseMs: pauseMs(),
    unref: true,
    tick: async (signal) => {
      await sweepMessages(pool, retentionMs, signal);
      return pauseMs();
    },
    failed: (error) => {
      telemetry.log.warn({ err: error }, 'old messages could not be deleted');
      return pauseMs();
    },
  });
