import { parseDurationMs } from '@pto/config';
import { topicAccess } from '@pto/proto/topics';
import { retentionMsMax } from '../../inbox-age.ts';

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
    .map(({ name, retentionMs }) => ({
      topic: name,
      retentionMs: keptLongerMs[name] ?? retentionMs,
    }))
    .filter(({ retentionMs }) => retentionMs === -1 || retentionMs > retentionMsMax);
