import type { Telemetry } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import { defaultBatchMax, type SubscribeOptions, type Subscription } from '../bus.ts';
import { holdShares } from '../shard-leases.ts';
import type { BusPool } from './bus-pool.ts';
import { duePartitions, subscriptionId } from './offsets.ts';
import { createPartitionWork } from './partition-work.ts';

const busyPollMs = 5;
const idlePollMs = 100;
const failedPollMs = 1000;
/** Time that a batch gets to finish before its partition goes to another member. */
const finishWithinMs = 5000;

/** Subscribes to one topic: leases a fair share of its partitions and handles their messages. */
export const subscribeTopic = async (
  pool: BusPool,
  partitions: number,
  topic: string,
  options: SubscribeOptions,
  telemetry: Telemetry,
): Promise<Subscription> => {
  const { group, handle, batchMax = defaultBatchMax } = options;
  const subscription = await subscriptionId(pool, group, topic);
  const work = createPartitionWork({
    pool,
    subscription,
    topic,
    group,
    batchMax,
    handle,
    telemetry,
  });
  const shares = holdShares({
    connect: pool.lockSession,
    space: subscription,
    count: partitions,
    finish: (partition) => work.finish(partition, finishWithinMs),
    lost: work.abortAll,
    log: telemetry.log,
  });
  /**
   * Starts a batch for each free partition of this member that has messages.
   * @returns whether to poll again soon: a partition had messages, or none is free while a batch
   *   runs.
   */
  const startDue = async (signal: AbortSignal): Promise<boolean> => {
    const free = shares.held().filter(work.free);
    if (free.length === 0) return work.running() > 0;
    const due = await duePartitions(pool, subscription, topic, free);
    for (const each of due) {
      if (!signal.aborted && shares.holds(each.partition) && work.free(each.partition)) {
        work.start(each, worker.wake);
      }
    }
    return due.length > 0;
  };

  await shares.first;
  let pauseMs = busyPollMs;
  const worker = startWorker({
    tick: async (signal) => {
      pauseMs = (await startDue(signal)) ? busyPollMs : Math.min(idlePollMs, pauseMs * 2);
      return pauseMs;
    },
    failed: (error) => {
      telemetry.log.debug({ err: error, group, topic }, 'the bus could not be read');
      pauseMs = failedPollMs;
      return pauseMs;
    },
  });
  return {
    stop: async () => {
      await worker.stop();
      await shares.stop();
    },
  };
};
