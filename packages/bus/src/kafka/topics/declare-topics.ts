import { ConfigError } from '@pto/config';
import kafkajs, { type Admin } from 'kafkajs';
import { segmentMs } from '../../inbox-age.ts';
import type { DeclaredTopic } from './declared-topic.ts';
import { ensureKafkaTopics } from './kafka-topics.ts';

const { ConfigResourceTypes, ConfigSource } = kafkajs;
const retentionKey = 'retention.ms';
const inSyncKey = 'min.insync.replicas';
const segmentKey = 'segment.ms';

/**
 * Creates missing topics and lengthens the retention of topics whose retention is shorter than
 * declared. A longer retention stays, because shortening it would delete events. Lowers the segment
 * time of topics with a limited retention to a day, so that Kafka stores a message at most about a
 * day longer than the retention (inbox-age.ts).
 * @returns topics with a retention longer than declared, in milliseconds.
 * @throws ConfigError for a topic with another number of partitions than declared (changing the
 *   number would send later events of an order to another partition), with fewer replicas, or with
 *   a smaller `min.insync.replicas`.
 */
export const declareTopics = async (
  admin: Admin,
  topics: readonly DeclaredTopic[],
): Promise<Readonly<Record<string, number>>> => {
  await ensureKafkaTopics(
    admin,
    topics.map((topic) => ({
      ...topic,
      config: {
        [retentionKey]: topic.retentionMs,
        [inSyncKey]: topic.minInSync,
        ...(topic.retentionMs !== -1 && { [segmentKey]: segmentMs }),
      },
    })),
  );
  const names = topics.map(({ name }) => name);
  const configs = await describeTopics(admin, names);
  const known = await admin.fetchTopicMetadata({ topics: names });
  const faults = topics.flatMap((topic) =>
    faultsOf(
      topic,
      known.topics.find(({ name }) => name === topic.name)?.partitions ?? [],
      Number(configs.get(topic.name)?.effective.get(inSyncKey)),
    ),
  );
  if (faults.length > 0) throw new ConfigError(faults);
  const changes = topics.map(
    (topic) => [topic.name, changesOf(topic, configs.get(topic.name)!)] as const,
  );
  await alterTopics(admin, new Map(changes.filter(([, values]) => values.size > 0)));
  return Object.fromEntries(
    topics
      .map(({ name, retentionMs }) => ({
        name,
        retentionMs,
        hasMs: retentionOf(configs.get(name)!),
      }))
      .filter(({ retentionMs, hasMs }) => isLonger(hasMs, retentionMs))
      .map(({ name, hasMs }) => [name, hasMs]),
  );
};

/** Returns the values to set on a topic. */
const changesOf = ({ retentionMs }: DeclaredTopic, config: TopicConfig): Map<string, string> => {
  const values = new Map<string, string>();
  if (!isLonger(retentionOf(config), retentionMs)) values.set(retentionKey, `${retentionMs}`);
  const hasSegmentMs = Number(config.effective.get(segmentKey));
  if (retentionMs !== -1 && !(hasSegmentMs <= segmentMs)) values.set(segmentKey, `${segmentMs}`);
  for (const [key, value] of values) if (config.own.get(key) === value) values.delete(key);
  return values;
};

const retentionOf = ({ effective }: TopicConfig): number => Number(effective.get(retentionKey));

const isLonger = (ms: number, thanMs: number): boolean =>
  thanMs !== -1 && (ms === -1 || ms > thanMs);

const faultsOf = (
  { name, partitions, replication, minInSync }: DeclaredTopic,
  found: readonly { replicas: readonly number[] }[],
  inSync: number,
): string[] => {
  const copies = Math.min(...found.map(({ replicas }) => replicas.length));
  return [
    ...(found.length === partitions
      ? []
      : [`topic ${name} has ${found.length} partitions, not ${partitions}`]),
    ...(copies >= replication
      ? []
      : [`topic ${name} has a replication of ${copies}, not ${replication}`]),
    ...(inSync >= minInSync ? [] : [`topic ${name} has ${inSyncKey}=${inSync}, not ${minInSync}`]),
  ];
};

/**
 * A topic's configuration: `own` has the values set for the topic, `effective` includes the
 * brokers' defaults.
 */
interface TopicConfig {
  readonly effective: ReadonlyMap<string, string>;
  readonly own: ReadonlyMap<string, string>;
}

export const describeTopics = async (
  admin: Admin,
  names: readonly string[],
): Promise<ReadonlyMap<string, TopicConfig>> => {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: names.map((name) => ({ type: ConfigResourceTypes.TOPIC, name })),
  });
  return new Map(
    resources.map(({ resourceName, configEntries }) => {
      const own = configEntries.filter(
        ({ configSource }) => configSource === ConfigSource.TOPIC_CONFIG,
      );
      const values = (entries: typeof own) =>
        new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
      return [resourceName, { effective: values(configEntries), own: values(own) }];
    }),
  );
};

/**
 * Sets values on topics. AlterConfigs replaces all values set for a topic, so the topic's other
 * values are sent as well.
 */
export const alterTopics = async (
  admin: Admin,
  changes: ReadonlyMap<string, ReadonlyMap<string, string>>,
): Promise<void> => {
  if (changes.size === 0) return;
  const before = await describeTopics(admin, [...changes.keys()]);
  await admin.alterConfigs({
    validateOnly: false,
    resources: [...changes].map(([name, values]) => ({
      type: ConfigResourceTypes.TOPIC,
      name,
      configEntries: [...new Map([...before.get(name)!.own, ...values])].map(([key, value]) => ({
        name: key,
        value,
      })),
    })),
  });
};
