import type { Bus, OutgoingMessage } from '@pto/bus';
import { createBatches } from '@pto/concurrency';
import type { Database } from '@pto/database';
import type { Telemetry } from '@pto/telemetry';
import { backoffMs } from '@pto/worker';
import { outboxShards } from './outbox-table.ts';
import type { relayMetrics } from './relay-metrics.ts';
import { markSent, readUnsent } from './unsent.ts';

const batchMax = 500;

/**
 * Returns functions that publish the outbox rows of shards. Call `start` only with shards for which
 * `free` is true: then at most one batch of a shard is sent at a time. A shard whose batch failed
 * pauses.
 */
export const createShardWork = (options: {
  db: Database;
  bus: Pick<Bus, 'publish'>;
  telemetry: Telemetry;
  metrics: ReturnType<typeof relayMetrics>;
  /**
   * Called before each batch. The rows of a shard that this process no longer owns are not sent.
   */
  owned(shard: number): boolean;
  /**
   * Called when a batch has ended: it was sent, its shard pauses after a failure, or this process
   * no longer owns the shard.
   */
  done(): void;
}) => {
  const { db, bus, telemetry, metrics } = options;
  const runs = new Map<number, Promise<void>>();
  const resting = new Map<number, { failures: number; until: number }>();

  // one request publishes rows of several shards, so one statement marks them as sent
  const mark = createBatches<readonly OutgoingMessage[], void>(
    async (sent) => {
      await markSent(db, sent.flat());
      return () => {};
    },
    { inFlightMax: outboxShards, batchMax: outboxShards, waitingMax: outboxShards },
  );

  const send = async (shard: number, rows: readonly OutgoingMessage[]): Promise<void> => {
    if (rows.length === 0 || !options.owned(shard)) return;
    await bus.publish(rows);
    await mark(rows);
    resting.delete(shard);
    for (const { topic } of rows) metrics.sent(topic);
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
    /** Whether the last batch of any shard failed. */
    isResting: (): boolean => resting.size > 0,
    /**
     * Reads the shards' unsent rows and starts to send them.
     * @returns whether there were unsent rows.
     */
    start: async (shards: readonly number[]): Promise<boolean> => {
      const reading = readUnsent(db, shards, batchMax);
      for (const shard of shards) {
        const run = reading.then(
          async (found) => {
            const rows = found.get(shard) ?? [];
            await send(shard, rows).catch((error) => rest(shard, error));
            runs.delete(shard);
            if (rows.length > 0) options.done();
          },
          () => void runs.delete(shard), // the caller gets the error
        );
        runs.set(shard, run);
      }
      return (await reading).size > 0;
    },
    finish: async (shard: number): Promise<void> => {
      await runs.get(shard);
    },
  };
};
