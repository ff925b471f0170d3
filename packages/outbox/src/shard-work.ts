import type { Bus, OutgoingMessage } from '@pto/bus';
import { createBatches } from '@pto/concurrency';
import type { Database } from '@pto/database';
import { within } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import { createRests } from '@pto/worker';
import type { RelayMetrics } from './relay-metrics.ts';
import { families, familyOf, slicesByFamily } from './shards.ts';
import { markAndRead } from './unsent.ts';

const batchMax = 500;
const gatherMsDefault = 50;

/**
 * Returns functions that publish the outbox rows of shards. The shards of a family are read
 * together, so the number of shards that a process holds does not change its cost. At most one batch
 * of a family is in flight. After a failed batch, its family pauses.
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
   * Called when a batch has ended and its family may have more unsent rows: `start` was called
   * meanwhile, the batch was full, it failed, or this process no longer owns one of its shards.
   */
  done(): void;
  /**
   * How long a read waits at most for the batches that are being sent, in ms; 50 by default. So it
   * also marks their rows, and finds what was committed meanwhile. A family whose batch takes longer
   * does not delay the other families further. A family with a backlog is read without waiting.
   */
  gatherMs?: number;
}) => {
  const { db, bus, telemetry, metrics, gatherMs = gatherMsDefault } = options;
  /** The batches in flight, by family. */
  const runs = new Map<number, Promise<void>>();
  const rests = createRests<number>();
  /** Families for which `start` was called while a batch of the family was being sent. */
  const again = new Set<number>();
  /** Families with a backlog: their last batch was full, and they were not read since. */
  const behind = new Set<number>();
  /** Event ids of rows that the bus has acknowledged and that are not marked as sent yet. */
  const unmarked = new Set<string>();

  const read = async (shards: readonly number[]) => {
    const sent = [...unmarked];
    const found = await markAndRead(db, { sent, from: slicesByFamily(shards), most: batchMax });
    for (const id of sent) unmarked.delete(id);
    return found;
  };

  // Families are finished together: one statement marks what was sent of all of them.
  const mark = createBatches<number, void>(
    async () => {
      if (unmarked.size > 0) await read([]);
      return () => {};
    },
    { inFlightMax: 1, batchMax: families },
  );

  /**
   * Sends the rows of one family.
   * @param shards from which the rows were read.
   * @returns false if the family may have more unsent rows, or if this process no longer owns all
   *   shards.
   */
  const send = async (
    family: number,
    shards: readonly number[],
    rows: readonly OutgoingMessage[],
  ): Promise<boolean> => {
    if (!shards.every(options.owned)) return false;
    await bus.publish(rows);
    rests.succeeded(family);
    for (const { id, topic } of rows) {
      unmarked.add(id);
      metrics.sent(topic);
    }
    if (rows.length < batchMax) return true;
    behind.add(family);
    return false;
  };

  const rest = (family: number, error: unknown) => {
    const failures = rests.failed(family);
    metrics.failed();
    telemetry.log[failures === 1 ? 'warn' : 'debug'](
      { err: error, shard: family, failures },
      'outbox rows could not be sent yet',
    );
  };

  const run = async (
    family: number,
    shards: readonly number[],
    rows: readonly OutgoingMessage[],
  ): Promise<void> => {
    const wereAll = await send(family, shards, rows).catch((error) => {
      rest(family, error);
      return false;
    });
    runs.delete(family);
    if (again.delete(family) || !wereAll) options.done();
  };

  const isFree = (family: number): boolean => !runs.has(family) && !rests.rests(family);

  return {
    /** Whether any family has unsent rows of a failed batch. */
    isResting: (): boolean => rests.any(),
    /** Whether rows are being sent, or were sent and are not marked yet. */
    isSending: (): boolean => runs.size > 0 || unmarked.size > 0,
    /**
     * Marks the rows that were sent, reads the unsent rows of the shards whose families are free and
     * starts to send them. For a family whose batch is still being sent, `done` is called after that
     * batch, so that the caller starts the family again.
     */
    start: async (shards: readonly number[]): Promise<void> => {
      const byFamily = Map.groupBy(shards, familyOf);
      const isBehind = [...byFamily.keys()].some((family) => behind.has(family));
      if (runs.size > 0 && !isBehind)
        await within(gatherMs, 'sending', Promise.all(runs.values())).catch(() => {}); // batches do not reject
      for (const family of byFamily.keys()) if (runs.has(family)) again.add(family);
      const free = [...byFamily].filter(([family]) => isFree(family));
      if (free.length === 0 && unmarked.size === 0) return;
      const found = await read(free.flatMap(([, ofFamily]) => ofFamily));
      for (const [family, ofFamily] of free) {
        behind.delete(family);
        const rows = found.get(family);
        if (rows) runs.set(family, run(family, ofFamily, rows));
        else rests.succeeded(family);
      }
    },
    /** Waits for the family's batch and marks what was sent. */
    finish: async (family: number): Promise<void> => {
      await runs.get(family);
      await mark(family);
    },
  };
};
