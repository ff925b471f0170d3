import { ConfigError, parseDurationMs } from '@pto/config';
import { topicAccess } from '@pto/proto/topics';
import kafkajs, { type Admin } from 'kafkajs';
import { retentionMsMax, segmentMs } from '../../inbox-age.ts';
import { ensureKafkaTopics } from './kafka-topics.ts';

const { ConfigResourceTypes, ConfigSource } = kafkajs;
const retentionKey = 'retention.ms';
const inSyncKey = 'min.insync.replicas';
const segmentKey = 'segment.ms';

/** The required configuration of a topic. */
export interface DeclaredTopic {
  readonly name: string;
  readonly partitions: number;
  /** Minimum retention in ms; -1 means forever. */
  readonly retentionMs: number;
  /** Minimum number of replicas of each partition. */
  readonly replication: number;
  /** Minimum number of in-sync replicas that must store a message before Kafka acknowledges it. */
  readonly minInSync: number;
}

const form = /^([\w.-]{1,249})=(\d{1,4})\/(\w+)\/(\d{1,2})\/(\d{1,2})$/;

/**
 * Parses `name=partitions/retention/replication/min.insync.replicas`, such as
 * `orders.order-events.v1=12/7d/3/2` or `…=1/forever/3/2`.
 * @throws Error for a malformed text.
 */
export const parseTopic = (text: string): DeclaredTopic => {
  const [, name, partitions, retention, replication, minInSync] = form.exec(text) ?? [];
  const topic = {
    name: `${name}`,
    partitions: Number(partitions),
    replication: Number(replication),
    minInSync: Number(minInSync),
  };
  if (name === undefined || Math.min(topic.partitions, topic.minInSync) < 1)
    throw new Error('expected topics such as name=12/7d/3/2 or name=1/forever/3/2');
  if (topic.minInSync > topic.replication)
    throw new Error(
      `${name}: min.insync.replicas ${minInSync} exceeds the ${replication} replicas`,
    );
  return { ...topic, retentionMs: retention === 'forever' ? -1 : parseDurationMs(`${retention}`) };
};

/**
 * Creates missing topics and lengthens the retention of topics whose retention is shorter than
 * declared. A longer retention stays, because shortening it would delete events. Lowers the segment
 * time of topics with a limited retention to a day, so that Kafka stores a message at most about a
 * day longer than the retention (inbox-age.ts).
 * @param prefix of the topics' names in Kafka.
 * @returns topics with a retention longer than declared, in milliseconds.
 * @throws ConfigError for a topic with another number of partitions than declared (changing the
 *   number would send later events of an order to another partition), with fewer replicas, or with
 *   a smaller `min.insync.replicas`.
 */
export const declareTopics = async (
  admin: Admin,
  declared: readonly DeclaredTopic[],
  prefix = '',
): Promise<Readonly<Record<string, number>>> => {
  const topics = declared.map((topic) => ({ ...topic, name: `${prefix}${topic.name}` }));
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
  const longer = topics.flatMap(({ name, retentionMs }) => {
    const hasMs = retentionOf(configs.get(name)!);
    return isLonger(hasMs, retentionMs) ? [[name.slice(prefix.length), hasMs] as const] : [];
  });
  return Object.fromEntries(longer);
};

/**
 * Returns the topics that a service consumes and whose retention is longer than inboxes allow
 * (`retentionMsMax`).
 * @param keptLongerMs actual retention by topic, where it is longer than declared.
 */
export const notRemembered = (
  topics: readonly DeclaredTopic[],
  keptLongerMs: Readonly<Record<string, number>>,
): { readonly topic: string; readonly retentionMs: number }[] =>
  topics
    .filter(({ name }) =>
      topicAccess.some(({ topic, consumers }) => topic === name && consumers.length > 0),
    )
    .map(({ name: topic, retentionMs }) => ({
      topic,
      retentionMs: keptLongerMs[topic] ?? retentionMs,
    }))
    .filter(({ retentionMs }) => isLonger(retentionMs, retentionMsMax));

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
  const faults: string[] = [];
  if (found.length !== partitions)
    faults.push(`topic ${name} has ${found.length} partitions, not ${partitions}`);
  if (!(copies >= replication))
    faults.push(`topic ${name} has a replication of ${copies}, not ${replication}`);
  if (!(inSync >= minInSync))
    faults.push(`topic ${name} has ${inSyncKey}=${inSync}, not ${minInSync}`);
  return faults;
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
