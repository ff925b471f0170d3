import { ConfigError } from '@pto/config';
import type { Admin } from 'kafkajs';
import { segmentMs } from '../../inbox-age.ts';
import type { DeclaredTopic } from './declared-topic.ts';
import { ensureKafkaTopics } from './kafka-topics.ts';
import { alterTopics, describeTopics, type TopicConfig } from './topic-config.ts';

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
  const configs = new Map((await describeTopics(admin, names)).map((one) => [one.name, one]));
  const known = await admin.fetchTopicMetadata({ topics: names });
  const faults = topics.flatMap((topic) =>
    faultsOf(
      topic,
      known.topics.find(({ name }) => name === topic.name)?.partitions ?? [],
      configs.get(topic.name),
    ),
  );
  if (faults.length > 0) throw new ConfigError(faults);
  const wanted = topics.map(({ name, retentionMs }) => {
    const config = configs.get(name)!;
    return { name, config, retentionMs, hasMs: Number(config.effective.get(retentionKey)) };
  });
  await alterTopics(
    admin,
    retentionKey,
    wanted
      .filter(({ retentionMs, hasMs }) => !isLonger(hasMs, retentionMs))
      .map(({ config, retentionMs }) => ({ config, value: `${retentionMs}` }))
      .filter(({ config, value }) => config.own.get(retentionKey) !== value),
  );
  await shortenSegments(
    admin,
    topics.filter(({ retentionMs }) => retentionMs !== -1).map(({ name }) => name),
  );
  return Object.fromEntries(
    wanted
      .filter(({ retentionMs, hasMs }) => isLonger(hasMs, retentionMs))
      .map(({ name, hasMs }) => [name, hasMs]),
  );
};

const shortenSegments = async (admin: Admin, names: readonly string[]): Promise<void> => {
  if (names.length === 0) return;
  const configs = await describeTopics(admin, names);
  await alterTopics(
    admin,
    segmentKey,
    configs
      .filter(({ effective }) => !(Number(effective.get(segmentKey)) <= segmentMs))
      .map((config) => ({ config, value: `${segmentMs}` })),
  );
};

const isLonger = (ms: number, thanMs: number): boolean =>
  thanMs !== -1 && (ms === -1 || ms > thanMs);

const faultsOf = (
  { name, partitions, replication, minInSync }: DeclaredTopic,
  found: readonly { replicas: readonly number[] }[],
  config: TopicConfig | undefined,
): string[] => {
  const copies = Math.min(...found.map(({ replicas }) => replicas.length));
  const inSync = Number(config?.effective.get(inSyncKey));
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
