import { type Given, statement } from '@pto/database';
import { within } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import { createRests } from '@pto/worker';
import type { IncomingMessage, SubscribeOptions } from '../bus.ts';
import type { BusPool } from './bus-pool.ts';
import { tables } from './bus-schema.ts';
import { commitOffset, type Due } from './offsets.ts';

/** Maximum number of partitions of one subscription that this process handles at the same time. */
const runningMax = 4;
/** Time to wait for an aborted batch to end. */
const abortedWithinMs = 2000;

interface Run {
  readonly done: Promise<void>;
  readonly abort: AbortController;
  leaving: boolean;
}

/** Runs the batches of one subscription, at most one per partition at a time. */
export const createPartitionWork = (options: {
  pool: BusPool;
  subscription: number;
  topic: string;
  group: string;
  batchMax: number;
  handle: SubscribeOptions['handle'];
  telemetry: Telemetry;
}) => {
  const { pool, subscription, topic, group, batchMax } = options;
  const runs = new Map<number, Run>();
  const rests = createRests<number>();

  const drain = async (due: Due, run: Omit<Run, 'done'>): Promise<void> => {
    const { partition } = due;
    let from = BigInt(due.offset);
    for (;;) {
      const batch = await readMessages(pool, topic, partition, from, batchMax);
      if (batch.length === 0 || run.leaving) return;
      await options.handle(batch, run.abort.signal);
      rests.succeeded(partition);
      from = BigInt(batch.at(-1)!.offset) + 1n;
      await commitOffset(pool, subscription, partition, from);
      if (batch.length < batchMax || run.leaving) return;
    }
  };

  const rest = (partition: number, error: unknown) => {
    const failures = rests.failed(partition);
    const { log } = options.telemetry;
    log.warn({ err: error, group, topic, partition, failures }, 'batch failed, will be retried');
  };

  return {
    /**
     * Whether a batch of this partition may start now: no batch of it runs, it does not pause after
     * a failure, and fewer than `runningMax` partitions are handled.
     */
    free: (partition: number): boolean =>
      runs.size < runningMax && !runs.has(partition) && !rests.rests(partition),
    running: () => runs.size,
    start: (due: Due, done: () => void): void => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const run: Run = { done: promise, abort: new AbortController(), leaving: false };
      runs.set(due.partition, run);
      void drain(due, run)
        .catch((error) => {
          if (!run.leaving) rest(due.partition, error);
        })
        .finally(() => {
          if (runs.get(due.partition) === run) runs.delete(due.partition);
          resolve();
          done();
        });
    },
    /**
     * Waits for the partition's batch, which is aborted after `patienceMs`.
     * @throws Error if the aborted batch does not end within 2 s.
     */
    finish: async (partition: number, patienceMs: number): Promise<void> => {
      const run = runs.get(partition);
      if (!run) return;
      run.leaving = true;
      const patience = setTimeout(() => run.abort.abort(new Error('stopping')), patienceMs);
      try {
        await within(patienceMs + abortedWithinMs, 'finishing a batch', run.done);
      } finally {
        clearTimeout(patience);
      }
    },
    /** Aborts all batches: another member may be handling the partitions. */
    abortAll: (): void => {
      for (const run of runs.values()) {
        run.leaving = true;
        run.abort.abort(new Error('the partition is lost'));
      }
      runs.clear();
    },
  };
};

const selectFrom = statement(
  (given: Given<{ topic: string; partition: number; from: string; most: number }>) =>
    tables
      .selectFrom('messages')
      .select(['offset', 'key', 'event_id', 'type', 'traceparent', 'request_id', 'reason'])
      .select('value')
      .where('topic', '=', given.topic)
      .where('partition', '=', given.partition)
      .where('offset', '>=', given.from)
      .orderBy('offset')
      .limit(given.most),
);

/** Reads the partition's messages from an offset on, in order. */
const readMessages = async (
  pool: BusPool,
  topic: string,
  partition: number,
  from: bigint,
  most: number,
): Promise<IncomingMessage[]> => {
  const rows = await selectFrom(pool, { topic, partition, from: `${from}`, most });
  return rows.map((row) => ({
    topic,
    partition,
    offset: row.offset,
    key: row.key,
    id: row.event_id,
    type: row.type,
    traceparent: row.traceparent ?? undefined,
    requestId: row.request_id ?? undefined,
    reason: row.reason ?? undefined,
    value: row.value,
  }));
};
