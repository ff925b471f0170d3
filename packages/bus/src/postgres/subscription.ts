import type { Telemetry } from '@pto/telemetry';
import { createWakeSignal } from '@pto/worker';
import { defaultBatchMax, type SubscribeOptions, type Subscription } from '../bus.ts';
import { holdShares } from '../shares.ts';
import type { BusPool } from './bus-pool.ts';
import { duePartitions, subscriptionId } from './offsets.ts';
import { createPartitionWork } from './partition-work.ts';

const busyPollMs = 5;
const idlePollMs = 100;
/** What is in hand may be finished this long once the partition is to go elsewhere. */
const finishWithinMs = 5000;

/** One topic of a subscription: holds a fair share of its partitions and works through them. */
export const subscribeTopic = async (
  pool: BusPool,
  partitions: number,
  topic: string,
  options: SubscribeOptions,
  telemetry: Telemetry,
  crashed: (error: Error) => void,
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
  const wakeSignal = createWakeSignal();
  let stopping = false;

  /** @returns whether anything was to be done. */
  const turn = async (): Promise<boolean> => {
    const free = shares.held().filter(work.free);
    if (free.length === 0) return work.running() > 0;
    const due = await duePartitions(pool, subscription, topic, free);
    for (const each of due) {
      if (!stopping && shares.holds(each.partition) && work.free(each.partition)) {
        work.start(each, wakeSignal.wake);
      }
    }
    return due.length > 0;
  };

  const run = async () => {
    let pauseMs = busyPollMs;
    while (!stopping) {
      try {
        pauseMs = (await turn()) ? busyPollMs : Math.min(idlePollMs, pauseMs * 2);
      } catch (error) {
        telemetry.log.debug({ err: error, group, topic }, 'the bus did not answer');
        pauseMs = 1000;
      }
      await wakeSignal.wait(pauseMs);
    }
  };

  await shares.first;
  const running = run();
  running.catch(crashed);
  return {
    stop: async () => {
      stopping = true;
      wakeSignal.wake();
      await running;
      await shares.stop();
    },
  };
};
