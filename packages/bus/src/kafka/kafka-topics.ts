import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs, { type Admin } from 'kafkajs';
import { defaultPartitions, type Topic } from '../bus.ts';

const readyTimeoutMs = 30_000;

/** Named to reach the group coordinator; nobody is a member. */
export const warmUpGroup = 'warm-up';

/** A topic that may say more of how it is made; what it leaves out is the brokers' to say. */
export interface KafkaTopic extends Topic {
  readonly replication?: number;
  readonly config?: Readonly<Record<string, string | number>>;
}

/**
 * Makes the topics that are missing and waits until each partition has a leader. kafkajs's own
 * wait fails on KRaft, which answers before the brokers know of the topic. The group coordinator is
 * asked first: its first answer takes many times longer once there are many partitions.
 */
export const ensureKafkaTopics = async (
  admin: Admin,
  topics: readonly KafkaTopic[],
): Promise<void> => {
  const deadline = Date.now() + readyTimeoutMs;
  await retried(deadline, () => admin.fetchOffsets({ groupId: warmUpGroup }));
  const present = new Set(await admin.listTopics());
  const missing = topics.filter(({ name }) => !present.has(name));
  if (missing.length > 0) {
    await makeTopics(admin, missing);
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

const makeTopics = async (admin: Admin, topics: readonly KafkaTopic[]): Promise<void> => {
  try {
    await admin.createTopics({
      waitForLeaders: false,
      timeout: 10_000,
      topics: topics.map(({ name, partitions, replication, config }) => ({
        topic: name,
        numPartitions: partitions ?? defaultPartitions,
        replicationFactor: replication ?? -1, // the cluster's own default
        configEntries: Object.entries(config ?? {}).map(([key, value]) => ({
          name: key,
          value: `${value}`,
        })),
      })),
    });
  } catch (error) {
    // "Topic creation errors" alone would say neither which nor why
    if (!(error instanceof kafkajs.KafkaJSAggregateError)) throw error;
    const faults = (error.errors as unknown as readonly NotMade[])
      // somebody else was quicker
      .filter(({ type }) => type !== 'TOPIC_ALREADY_EXISTS')
      .map(({ topic, message }) => `${topic}: ${message}`);
    if (faults.length === 0) return;
    throw new Error(`topics could not be made: ${faults.join('; ')}`, { cause: error });
  }
};

/** As kafkajs says it, and its types do not. */
interface NotMade extends Error {
  readonly topic: string;
  readonly type: string;
}

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
