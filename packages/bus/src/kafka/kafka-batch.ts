import { setTimeout as sleep } from 'node:timers/promises';
import type { Telemetry } from '@pto/telemetry';
import { backoffMs } from '@pto/worker';
import type { EachBatchPayload } from 'kafkajs';
import { defaultBatchMax, type SubscribeOptions } from '../bus.ts';
import { fromRecord } from './kafka-message.ts';
import { delayedCommit } from './offsets/delayed-commit.ts';
import type { watchLoss } from './offsets/message-loss.ts';

const heartbeatEveryMs = 1000;

/** Creates the handler that kafkajs calls for each fetched batch of one partition. */
export const createBatchHandler = (options: {
  subscription: SubscribeOptions;
  stopping: AbortSignal;
  telemetry: Telemetry;
  loss: Pick<ReturnType<typeof watchLoss>, 'received' | 'handled'>;
}) => {
  const { loss } = options;
  const { group, topic, handle, positions, batchMax = defaultBatchMax } = options.subscription;
  /** Consecutive failures by partition. */
  const failures = new Map<number, number>();
  const pauses = new Set<NodeJS.Timeout>();
  const offsets = delayedCommit({ group, telemetry: options.telemetry });
  const spacing = batchSpacing();
  let isLeaving = false;

  /**
   * Pauses the partition for a time that grows with each failure. Its offset was not resolved, so
   * the same messages are fetched again.
   */
  const rest = (payload: EachBatchPayload, error: unknown) => {
    const { partition } = payload.batch;
    const count = (failures.get(partition) ?? 0) + 1;
    failures.set(partition, count);
    options.telemetry.log.warn(
      { err: error, group, topic, partition, count },
      'batch failed, will be retried',
    );
    const resume = payload.pause();
    const timer = setTimeout(() => {
      pauses.delete(timer);
      resume();
    }, backoffMs(count));
    pauses.add(timer);
  };

  const eachBatch = async (payload: EachBatchPayload): Promise<void> => {
    const { partition, messages } = payload.batch;
    const [first] = messages;
    try {
      if (first && !(await loss.received(partition, BigInt(first.offset)))) return;
    } catch (error) {
      if (payload.isRunning()) rest(payload, error);
      return;
    }
    spacing.begin(messages.length);
    for (let at = 0; at < messages.length; at += batchMax) {
      if (!payload.isRunning() || payload.isStale()) return;
      const part = messages.slice(at, at + batchMax);
      const last = part.at(-1)!.offset;
      const next = BigInt(last) + 1n;
      const alive = keepAlive(payload, options.stopping);
      try {
        const batch = part.map((record) => fromRecord(topic, partition, record));
        await handle(batch, alive.signal);
        await positions?.save(partition, next);
      } catch (error) {
        if (payload.isRunning()) rest(payload, error);
        return;
      } finally {
        alive.stop();
      }
      failures.delete(partition);
      payload.resolveOffset(last);
      loss.handled(partition, next);
      offsets.plan(payload);
      if (isLeaving) await offsets.flush(); // nothing commits offsets after this batch
      // The error of a heartbeat is thrown to kafkajs, which rejoins the group after a rebalance.
      if (alive.fault) throw alive.fault;
      await payload.heartbeat();
    }
    const waitMs = spacing.waitMs();
    if (waitMs > 0) await sleep(waitMs);
  };

  return {
    eachBatch,
    /** Called when the group has assigned partitions to this member. */
    joined: offsets.forget,
    /**
     * Called before the member leaves the group. Commits the offsets of the batches that have ended;
     * a batch that runs commits its offset itself.
     */
    leaving: async (): Promise<void> => {
      isLeaving = true;
      await offsets.flush();
    },
    close: () => {
      offsets.forget();
      for (const timer of pauses) clearTimeout(timer);
    },
  };
};

/**
 * Sends heartbeats while a batch is handled. During a rebalance the member may finish the batch.
 * Any other heartbeat error aborts the signal, because the group may have removed the member.
 */
const keepAlive = (payload: EachBatchPayload, stopping: AbortSignal) => {
  const lost = new AbortController();
  const timer = setInterval(() => {
    payload.heartbeat().catch((error: Error & { type?: string }) => {
      alive.fault ??= error;
      if (error.type !== 'REBALANCE_IN_PROGRESS') lost.abort(error);
    });
  }, heartbeatEveryMs);
  const alive = {
    signal: AbortSignal.any([stopping, lost.signal]),
    fault: undefined as Error | undefined,
    stop: () => clearInterval(timer),
  };
  return alive;
};

/**
 * Minimum time between two rounds of batches while the topic is busy, in ms. A round costs the
 * processes and stores about as much for one message as for ten, so a busy consumer with small
 * rounds takes the cores from the work that callers wait for.
 */
const spaceMs = 25;
/** Number of messages in a round from which on the topic counts as busy. */
const busyFrom = 3;

/**
 * Spaces the rounds of a busy consumer. A round is all batches that begin within 25 ms. The consumer
 * fetches again only when all batches of its last fetch have ended, so a batch that waits delays
 * the next fetch, and messages that arrive meanwhile share it.
 */
export const batchSpacing = (now: () => number = () => performance.now()) => {
  let begunAt = Number.NEGATIVE_INFINITY;
  let messages = 0;
  return {
    /** Counts a batch that begins. */
    begin: (size: number): void => {
      if (now() - begunAt >= spaceMs) {
        begunAt = now();
        messages = 0;
      }
      messages += size;
    },
    /**
     * Returns the time in ms that a batch must still wait after its messages were handled; 0 for a
     * round of one or two messages, so that a topic with few messages has no delay.
     */
    waitMs: (): number => (messages < busyFrom ? 0 : Math.max(0, begunAt + spaceMs - now())),
  };
};
