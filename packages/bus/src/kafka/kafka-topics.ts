import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import { defaultPartitions, type Topic } from '../bus.ts';

const readyTimeoutMs = 30_000;

/**
 * Makes the topics that are missing and waits until each partition has a leader. kafkajs's own
 * wait fails on KRaft, which answers before the brokers know of the topic. The group coordinator is
 * asked first: its first answer takes many times longer once there are many partitions.
 */
export const ensureKafkaTopics = async (admin: Admin, topics: readonly Topic[]): Promise<void> => {
  const deadline = Date.now() + readyTimeoutMs;
  await retried(deadline, () => admin.fetchOffsets({ groupId: 'warm-up' }));
  const present = new Set(await admin.listTopics());
  const missing = topics.filter(({ name }) => !present.has(name));
  if (missing.length > 0) {
    await admin.createTopics({
      waitForLeaders: false,
      timeout: 10_000,
      topics: missing.map(({ name, partitions }) => ({
        topic: name,
        numPartitions: partitions ?? defaultPartitions,
        replicationFactor: -1, // the cluster's own default
      })),
    });
  }
  await retried(deadline, async () => {
    const known = await admin.fetchTopicMetadata({ topics: topics.map(({ name }) => name) });
    for (const topic of known.topics) {
      if (topic.partitions.length === 0 || topic.partitions.some(({ leader }) => leader < 0)) {
        throw new Error(`topic ${topic.name} has no leader yet`);
      }
    }
  });
};

/** Tries again every 50 ms until the deadline, then fails as the last try did. */
export const retried = async <T>(deadline: number, work: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
};
