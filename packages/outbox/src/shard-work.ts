import type { Bus } from '@pto/bus';
import type { Database } from '@pto/database';
import type { Telemetry } from '@pto/telemetry';
import { backoffMs } from '@pto/worker';
import type { relayMetrics } from './relay-metrics.ts';
import { markSent, readUnsent } from './unsent.ts';

const batchMax = 500;

/** The shards being sent, at most one batch of each at a time. */
export const createShardWork = (options: {
  db: Database;
  bus: Pick<Bus, 'publish'>;
  telemetry: Telemetry;
  metrics: ReturnType<typeof relayMetrics>;
  /** Asked before each batch: a shard that is lost is not sent any more. */
  owned(shard: number): boolean;
  /** Called when a shard's rows are all sent, or have to rest. */
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
    /** Neither being sent nor resting after a failure. */
    free: (shard: number): boolean =>
      !runs.has(shard) && (resting.get(shard)?.until ?? 0) <= performance.now(),
    /** Whether a shard rests after a failure. */
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
