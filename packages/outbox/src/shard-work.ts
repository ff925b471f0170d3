import type { Bus } from '@pto/bus';
import type { Database } from '@pto/database';
import type { Telemetry } from '@pto/telemetry';
import { backoffMs } from '@pto/worker';
import type { relayMetrics } from './relay-metrics.ts';
import { markSent, readUnsent } from './unsent.ts';

const batchMax = 500;

/** Publishes the shards' rows, at most one batch per shard at a time. */
export const createShardWork = (options: {
  db: Database;
  bus: Pick<Bus, 'publish'>;
  telemetry: Telemetry;
  metrics: ReturnType<typeof relayMetrics>;
  /**
   * Called before each batch. The rows of a shard that this process no longer owns are not sent.
   */
  owned(shard: number): boolean;
  /** Called when a shard has no unsent rows or pauses after a failure. */
  done(): void;
}) => {
  const { db, bus, telemetry, metrics } = options;
  const runs = new Map<number, Promise<void>>();
  const resting = new Map<number, { failures: number; until: number }>();

  const drain = async (shard: number): Promise<void> => {
    for (;;) {
      const rows = await readUnsent(db, shard, batchMax);
      if (rows.length === 0 || !options.owned(shard)) return;
      await bus.publish(rows);
      await markSent(db, rows);
      resting.delete(shard);
      for (const { topic } of rows) metrics.sent(topic);
      if (rows.length < batchMax) return;
    }
  };

  const rest = (shard: number, error: unknown) => {
    const failures = (resting.get(shard)?.failures ?? 0) + 1;
    resting.set(shard, { failures, until: performance.now() + backoffMs(failures) });
    metrics.failed();
    telemetry.log[failures === 1 ? 'warn' : 'debug'](
      { err: error, shard, failures },
      'outbox rows could not be sent yet',
    );
  };

  return {
    /** Whether the shard is neither being sent nor paused after a failure. */
    free: (shard: number): boolean =>
      !runs.has(shard) && (resting.get(shard)?.until ?? 0) <= performance.now(),
    /** Whether any shard is paused after a failure. */
    isResting: (): boolean => resting.size > 0,
    start: (shard: number): void => {
      const run = drain(shard)
        .catch((error) => rest(shard, error))
        .finally(() => {
          runs.delete(shard);
          options.done();
        });
      runs.set(shard, run);
    },
    finish: async (shard: number): Promise<void> => {
      await runs.get(shard);
    },
  };
};
