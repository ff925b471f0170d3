import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs, { type Admin } from 'kafkajs';
import type { Topic } from '../../bus.ts';

const readyTimeoutMs = 30_000;

/** A topic with optional settings. Kafka's defaults apply to settings that are missing. */
export interface KafkaTopic extends Topic {
  readonly replication?: number;
  readonly config?: Readonly<Record<string, string | number>>;
}

/**
 * Creates missing topics and waits until each partition has a leader. kafkajs's own wait fails on
 * KRaft, which responds before the brokers know the topic.
 */
export const ensureKafkaTopics = async (
  admin: Admin,
  topics: readonly KafkaTopic[],
): Promise<void> => {
  const deadline = performance.now() + readyTimeoutMs;
  const present = new Set(await admin.listTopics());
  const missing = topics.filter(({ name }) => !present.has(name));
  if (missing.length > 0) await makeTopics(admin, missing);
  await retried(deadline, async () => {
    const known = await admin.fetchTopicMetadata({ topics: topics.map(({ name }) => name) });
    for (const { name, partitions } of known.topics)
      if (partitions.length === 0 || partitions.some(({ leader }) => leader < 0))
        throw new Error(`topic ${name} has no leader yet`);
  });
};

const makeTopics = async (admin: Admin, topics: readonly KafkaTopic[]): Promise<void> => {
  try {
    await admin.createTopics({
      waitForLeaders: false,
      timeout: 10_000,
      topics: topics.map(({ name, partitions, replication, config }) => ({
        topic: name,
        numPartitions: partitions,
        replicationFactor: replication ?? -1, // the cluster's default
        configEntries: Object.entries(config ?? {}).map(([key, value]) => ({
          name: key,
          value: `${value}`,
        })),
      })),
    });
  } catch (error) {
    // the message of the aggregate, "Topic creation errors", names neither topic nor cause
    if (!(error instanceof kafkajs.KafkaJSAggregateError)) throw error;
    // kafkajs adds the topic, which its types lack
    const faults = (error.errors as readonly (Error & { topic?: string; type?: string })[])
      // another process has created the topic
      .filter(({ type }) => type !== 'TOPIC_ALREADY_EXISTS')
      .map(({ topic, message }) => `${topic}: ${message}`);
    if (faults.length === 0) return;
    throw new Error(`topics could not be created: ${faults.join('; ')}`, { cause: error });
  }
};

/**
 * Retries every 50 ms until the deadline, then throws the error of the last attempt. A missing
 * permission is thrown at once.
 */
export const retried = async <T>(deadline: number, work: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > deadline || isForbidden(error)) throw error;
      await sleep(50);
    }
  }
};

const isForbidden = (error: unknown): boolean => {
  const { type, cause } = error as { type?: string; cause?: { type?: string } };
  return /AUTHORIZATION_FAILED/.test(`${type} ${cause?.type}`);
};
