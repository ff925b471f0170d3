import type { Bus, OutgoingMessage } from '@pto/bus';
import { createBatches } from '@pto/concurrency';
import type { Database } from '@pto/database';
import { within } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import { createRests } from '@pto/worker';
import { outboxShards } from './outbox.ts';
import type { RelayMetrics } from './relay-metrics.ts';
import { markAndRead } from './unsent.ts';

const batchMax = 500;
const gatherMsDefault = 50;

/**
 * Returns functions that publish the outbox rows of shards, at most one batch of a shard at a time.
 * After a failed batch, its shard pauses.
 */
export const createShardWork = (options: {
  db: Database;
  bus: Pick<Bus, 'publish'>;
  telemetry: Telemetry;
  metrics: RelayMetrics;
  /**
   * Called before each batch. The rows of a shard that this process no longer owns are not sent.
   */
  owned(shard: number): boolean;
  /**
   * Called when a batch has ended and its shard may have more unsent rows: `start` was called
   * meanwhile, the batch was full, it failed, or this process no longer owns the shard.
   */
  done(): void;
  /**
   * How long a read waits at most for the batches that are being sent, in ms; 50 by default. So it
   * also marks their rows, and finds what was committed meanwhile. A shard whose batch takes longer
   * does not delay the other shards further. A shard with a backlog is read without waiting.
   */
  gatherMs?: number;
}) => {
  const { db, bus, telemetry, metrics, gatherMs = gatherMsDefault } = options;
  const runs = new Map<number, Promise<void>>();
  const rests = createRests<number>();
  /** Shards for which `start` was called while a batch of the shard was being sent. */
  const again = new Set<number>();
  /** Shards with a backlog: their last batch was full, and they were not read since. */
  const behind = new Set<number>();
  /** Event ids of rows that the bus has acknowledged and that are not marked as sent yet. */
  const unmarked = new Set<string>();

  const read = async (shards: readonly number[]) => {
    const sent = [...unmarked];
    const found = await markAndRead(db, { sent, shards, most: batchMax });
    for (const id of sent) unmarked.delete(id);
    return found;
  };

  // Shards are finished together: one statement marks what was sent of all of them.
  const mark = createBatches<number, void>(
    async () => {
      if (unmarked.size > 0) await read([]);
      return () => {};
    },
    { inFlightMax: 1, batchMax: outboxShards, waitingMax: outboxShards },
  );

  /**
   * Sends the rows.
   * @returns false if the shard may have more unsent rows, or if this process no longer owns the
   *   shard.
   */
  const send = async (shard: number, rows: readonly OutgoingMessage[]): Promise<boolean> => {
    if (!options.owned(shard)) return false;
    await bus.publish(rows);
    rests.succeeded(shard);
    for (const { id, topic } of rows) {
      unmarked.add(id);
      metrics.sent(topic);
    }
    if (rows.length < batchMax) return true;
    behind.add(shard);
    return false;
  };

  const rest = (shard: number, error: unknown) => {
    const failures = rests.failed(shard);
    metrics.failed();
    telemetry.log[failures === 1 ? 'warn' : 'debug'](
      { err: error, shard, failures },
      'outbox rows could not be sent yet',
    );
  };

  const run = async (shard: number, rows: readonly OutgoingMessage[]): Promise<void> => {
    const wereAll = await send(shard, rows).catch((error) => {
      rest(shard, error);
      return false;
    });
    runs.delete(shard);
    if (again.delete(shard) || !wereAll) options.done();
  };

  const isFree = (shard: number): boolean => !runs.has(shard) && !rests.rests(shard);

  return {
    /** Whether any shard has unsent rows of a failed batch. */
    isResting: (): boolean => rests.any(),
    /** Whether rows are being sent, or were sent and are not marked yet. */
    isSending: (): boolean => runs.size > 0 || unmarked.size > 0,
    /**
     * Marks the rows that were sent, reads the unsent rows of the shards that are free and starts to
     * send them. For a shard whose batch is still being sent, `done` is called after that batch, so
     * that the caller starts the shard again.
     */
    start: async (shards: readonly number[]): Promise<void> => {
      const isBehind = shards.some((shard) => behind.has(shard));
      if (runs.size > 0 && !isBehind)
        await within(gatherMs, 'sending', Promise.all(runs.values())).catch(() => {}); // batches do not reject
      for (const shard of shards) if (runs.has(shard)) again.add(shard);
      const free = shards.filter(isFree);
      if (free.length === 0 && unmarked.size === 0) return;
      const found = await read(free);
      for (const shard of free) {
        behind.delete(shard);
        const rows = found.get(shard);
        if (rows) runs.set(shard, run(shard, rows));
        else rests.succeeded(shard);
      }
    },
    /** Waits for the shard's batch and marks what was sent. */
    finish: async (shard: number): Promise<void> => {
      await runs.get(shard);
      await mark(shard);
    },
  };
};
