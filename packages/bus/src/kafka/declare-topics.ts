import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, parseDurationMs } from '@pto/config';
import kafkajs, { type Admin } from 'kafkajs';
import { ensureKafkaTopics } from './kafka-topics.ts';

/** A topic as it must be. */
export interface DeclaredTopic {
  readonly name: string;
  readonly partitions: number;
  /** -1: for ever. */
  readonly retentionMs: number;
}

const settleMs = 10_000;

/** Reads `name=partitions/retention`, such as `orders.order-events.v1=12/7d` or `…=1/forever`. */
export const parseTopic = (text: string): DeclaredTopic => {
  const [, name, partitions, retention] = /^([\w.-]{1,249})=(\d{1,4})\/(\w+)$/.exec(text) ?? [];
  if (name === undefined || Number(partitions) < 1)
    throw new Error('expected topics such as name=12/7d or name=1/forever');
  const retentionMs = retention === 'forever' ? -1 : parseDurationMs(`${retention}`);
  return { name, partitions: Number(partitions), retentionMs };
};

/**
 * Makes the topics that are missing, and gives all of them their retention.
 * @throws ConfigError where a topic has another number of partitions: changing it would send later
 * events of an order elsewhere than its earlier ones, and that is nobody's to do by a setting.
 */
export const declareTopics = async (
  admin: Admin,
  topics: readonly DeclaredTopic[],
): Promise<void> => {
  await ensureKafkaTopics(admin, topics);
  const known = await admin.fetchTopicMetadata({ topics: topics.map(({ name }) => name) });
  const faults = topics.flatMap(({ name, partitions }) => {
    const has = known.topics.find((topic) => topic.name === name)?.partitions.length;
    return has === partitions ? [] : [`topic ${name} has ${has} partitions, not ${partitions}`];
  });
  if (faults.length > 0) throw new ConfigError(faults);
  await admin.alterConfigs({
    validateOnly: false,
    resources: topics.map(({ name, retentionMs }) => ({
      type: kafkajs.ConfigResourceTypes.TOPIC,
      name,
      configEntries: [{ name: 'retention.ms', value: `${retentionMs}` }],
    })),
  });
  await untilSettled(admin, topics);
};

/** What was altered is seen a moment later. */
const untilSettled = async (admin: Admin, topics: readonly DeclaredTopic[]): Promise<void> => {
  for (const end = Date.now() + settleMs; ; await sleep(100)) {
    const found = await Promise.all(topics.map(({ name }) => retentionOf(admin, name)));
    const wrong = topics.find(({ retentionMs }, n) => found[n] !== retentionMs);
    if (wrong === undefined) return;
    if (Date.now() > end) throw new Error(`retention of ${wrong.name} was not taken over`);
  }
};

/** In milliseconds; -1: for ever. */
export const retentionOf = async (admin: Admin, name: string): Promise<number> => {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name, configNames: ['retention.ms'] }],
  });
  return Number(resources[0]?.configEntries[0]?.configValue);
};
