import type { Telemetry } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import type { BusPool } from './bus-pool.ts';

const sweepEveryMs = 10 * 60_000;
const batchMax = 1000;

/**
 * Deletes messages that each group has handled and that are older than the retention, in bounded
 * steps. Concurrent calls skip each other's rows. A message is never deleted before each group of
 * its topic has read it: each group has an offset from its first subscription on, the delete uses
 * the lowest offset, and offsets never decrease. A group that has stopped forever therefore retains
 * its messages; bus_consumer_lag shows this.
 * @returns the number of deleted messages.
 */
export const sweepMessages = async (
  pool: BusPool,
  retentionMs: number,
  signal?: AbortSignal,
): Promise<number> => {
  const partitions = await pool.query<{ topic: string; partition: number }>(
    'select topic, partition from topic_partitions order by topic, partition',
  );
  let total = 0;
  for (const { topic, partition } of partitions) {
    for (let more = true; more && !signal?.aborted; ) {
      const parameters = [topic, partition, retentionMs, batchMax];
      const [row] = await pool.query<{ deleted: number }>(sweepSql, parameters);
      total += row!.deleted;
      more = row!.deleted === batchMax;
    }
  }
  return total;
};

const sweepSql = `
with finished as (
  select min(o.next_offset) as below from subscriptions s
  join subscription_offsets o on o.subscription = s.id and o.partition = $2 where s.topic = $1
), old as (
  select m."offset" from messages m, finished f
  where m.topic = $1 and m.partition = $2 and (f.below is null or m."offset" < f.below)
    and m.published_at < now() - $3 * interval '1 millisecond'
  order by m."offset" limit $4 for update of m skip locked
), gone as (
  delete from messages m using old
  where m.topic = $1 and m.partition = $2 and m."offset" = old."offset" returning 1
)
select count(*)::int as deleted from gone`;

const pauseMs = (): number => sweepEveryMs * (0.5 + Math.random());

/** Deletes old messages every ten minutes until it is stopped. */
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
