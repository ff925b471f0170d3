import { within } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import kafkajs from 'kafkajs';
import type { SubscribeOptions, Subscription } from '../bus.ts';
import { busUnavailable } from '../unavailable.ts';
import { createBatchHandler } from './kafka-batch.ts';
import { metadataMaxAgeMs } from './kafka-connection.ts';
import { watchLoss } from './offsets/message-loss.ts';
import { retried } from './topics/kafka-topics.ts';

/** Time without a heartbeat after which the group gives a member's partitions to other members. */
const sessionTimeoutMs = 8000;
/**
 * Time that the current batches get to finish when the subscription stops. Then they are aborted.
 */
const finishWithinMs = 5000;
const leaveWithinMs = 3000;
const commitWithinMs = 1000;
/** Time that a broker which has just started gets to load the group. */
const loadedWithinMs = 30_000;
/** A fetch with `linger` ends when Kafka has this many bytes for it, or after its time limit. */
const lingerBytes = 8192;

export const subscribeKafka = async (
  kafka: kafkajs.Kafka,
  admin: kafkajs.Admin,
  options: SubscribeOptions,
  telemetry: Telemetry,
  crashed: (error: Error) => void,
): Promise<Subscription> => {
  const consumer = kafka.consumer({
    groupId: options.group,
    sessionTimeout: sessionTimeoutMs,
    heartbeatInterval: 2000,
    rebalanceTimeout: 15_000,
    // short: a member can join or leave the group only after its current fetch has ended
    maxWaitTimeInMs: 250,
    minBytes: options.linger ? lingerBytes : 1,
    allowAutoTopicCreation: false,
    metadataMaxAge: metadataMaxAgeMs,
    partitionAssigners: [kafkajs.PartitionAssigners.roundRobin],
  });
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    if (!payload.restart) crashed(payload.error);
  });
  const loss = watchLoss({ consumer, admin, subscription: options, telemetry });
  const stopping = new AbortController();
  const handler = createBatchHandler({
    subscription: options,
    stopping: stopping.signal,
    telemetry,
    loss,
  });
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    handler.joined();
    void loss.joined(payload.memberAssignment[options.topic] ?? []);
  });
  try {
    // while the broker loads the group, a join would fail and kafkajs would log a crash
    await retried(performance.now() + loadedWithinMs, () =>
      admin.fetchOffsets({ groupId: options.group, topics: [options.topic] }),
    );
    await consumer.connect();
    await consumer.subscribe({ topics: [options.topic], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 12,
      eachBatch: handler.eachBatch,
    });
  } catch (error) {
    loss.stop();
    await consumer.disconnect().catch(() => {});
    busUnavailable(error);
  }
  return {
    stop: async () => {
      const patience = setTimeout(() => stopping.abort(new Error('stopping')), finishWithinMs);
      const leave = async () => {
        // without this commit, the next member handles these messages again
        await within(commitWithinMs, 'committing offsets', handler.leaving()).catch(() => {});
        await consumer.disconnect();
      };
      try {
        await within(finishWithinMs + leaveWithinMs, 'leaving the group', leave());
      } finally {
        clearTimeout(patience);
        loss.stop();
        handler.close();
      }
    },
  };
};
