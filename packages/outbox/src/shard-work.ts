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
 * Returns functions that publish the outbox rows of shards, at most one batch of a shard at a time.
 * After a failed batch, its shard pauses.
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
   * Called when a batch has ended and its shard may have more unsent rows: `start` was called
   * meanwhile, the batch was full, it failed, or this process no longer owns the shard.
   */
  done(): void;
}) => {
  const { db, bus, telemetry, metrics } = options;
  const runs = new Map<number, Promise<void>>();
  const resting = new Map<number, { failures: number; until: number }>();
  /** Shards for which `start` was called while a batch of the shard was being sent. */
  const again = new Set<number>();

  // The bus sends batches of several shards in one request, so they end together: one statement
  // marks their rows as sent.
  const mark = createBatches<readonly OutgoingMessage[], void>(
    async (sent) => {
      await markSent(db, sent.flat());
      return () => {};
    },
    { inFlightMax: outboxShards, batchMax: outboxShards, waitingMax: outboxShards },
  );

  /**
   * Sends the rows.
   * @returns false if the shard may have more unsent rows, or if this process no longer owns the
   *   shard.
   */
  const send = async (shard: number, rows: readonly OutgoingMessage[]): Promise<boolean> => {
    if (rows.length > 0) {
      if (!options.owned(shard)) return false;
      await bus.publish(rows);
      await mark(rows);
    }
    resting.delete(shard);
    for (const { topic } of rows) metrics.sent(topic);
    return rows.length < batchMax;
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

  const isFree = (shard: number): boolean =>
    !runs.has(shard) && (resting.get(shard)?.until ?? 0) <= performance.now();

  return {
    /** Whether any shard has unsent rows of a failed batch. */
    isResting: (): boolean => resting.size > 0,
    /**
     * Reads the unsent rows of the shards that are free and starts to send them. For a shard whose
     * batch is still being sent, `done` is called after that batch, so that the caller starts the
     * shard again.
     */
    start: async (shards: readonly number[]): Promise<void> => {
      for (const shard of shards) if (runs.has(shard)) again.add(shard);
      const free = shards.filter(isFree);
      if (free.length === 0) return;
      const reading = readUnsent(db, free, batchMax);
      for (const shard of free) {
        const run = reading.then(
          async (found) => {
            const wereAll = await send(shard, found.get(shard) ?? []).catch((error) => {
              rest(shard, error);
              return false;
            });
            runs.delete(shard);
            if (again.delete(shard) || !wereAll) options.done();
          },
          () => void runs.delete(shard), // the caller gets the error
        );
        runs.set(shard, run);
      }
      await reading;
    },
    finish: async (shard: number): Promise<void> => {
      await runs.get(shard);
    },
  };
};
