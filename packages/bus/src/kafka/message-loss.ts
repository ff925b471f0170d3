import type { Telemetry } from '@pto/telemetry';
import type { Admin, Consumer } from 'kafkajs';
import type { LostMessages } from '../bus.ts';
import { retried } from './kafka-topics.ts';

const checkEveryMs = 30_000;
const answerWithinMs = 5000;

type Assignment = Readonly<Record<string, readonly number[]>>;

/**
 * Reports messages that Kafka deleted before the group had read them: kafkajs continues with the
 * oldest message and says nothing. The member compares where it continues with the oldest offset of
 * each of its partitions: when it joins (before it fetches), every 30 s, and when a batch begins
 * beyond the expected offset. A partition without a committed offset gets one at once, so that a
 * later loss can be counted. A range may be reported again after a rebalance, never left out.
 */
export const watchLoss = (options: {
  consumer: Pick<Consumer, 'pause' | 'resume' | 'seek' | 'commitOffsets'>;
  admin: Pick<Admin, 'fetchTopicOffsets' | 'fetchOffsets'>;
  group: string;
  lost(range: LostMessages): void;
  telemetry: Telemetry;
}) => {
  const { consumer, admin, group } = options;
  /** The next offset to read, by topic and partition. */
  const expected = new Map<string, bigint>();
  let assigned: Assignment = {};
  let joins = 0;

  const report = (topic: string, partition: number, from: bigint, to: bigint): void => {
    const range = { topic, partition, from: `${from}`, to: `${to}` };
    options.telemetry.log.error(
      { group, ...range, count: Number(to - from) },
      'messages were deleted before the group had read them',
    );
    options.lost(range);
  };

  const oldestOffsets = async (topic: string): Promise<Map<number, bigint>> =>
    new Map((await admin.fetchTopicOffsets(topic)).map((p) => [p.partition, BigInt(p.low)]));

  const committedOffsets = async (topic: string): Promise<Map<number, bigint>> => {
    const [committed] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
    return new Map(committed?.partitions.map((p) => [p.partition, BigInt(p.offset)]));
  };

  const checkTopic = async (topic: string, partitions: readonly number[], join: number) => {
    const committed = await committedOffsets(topic);
    const oldest = await oldestOffsets(topic);
    for (const partition of partitions) {
      const name = `${topic}/${partition}`;
      const low = oldest.get(partition) ?? 0n;
      const stored = committed.get(partition) ?? -1n;
      if (join !== joins) return; // the partitions may be another member's by now
      const next = expected.get(name) ?? (stored < 0n ? undefined : stored);
      if (next !== undefined && next >= low) {
        expected.set(name, next);
        continue;
      }
      if (next !== undefined) report(topic, partition, next, low);
      expected.set(name, low);
      const offset = `${low}`;
      consumer.seek({ topic, partition, offset });
      await consumer.commitOffsets([{ topic, partition, offset }]);
    }
  };

  const check = async (join: number): Promise<void> => {
    for (const [topic, partitions] of Object.entries(assigned))
      await retried(Date.now() + answerWithinMs, () => checkTopic(topic, partitions, join));
  };
  const checked = (join: number) =>
    check(join).catch((err) => {
      if (join === joins)
        options.telemetry.log.warn({ err, group }, 'lost messages could not be looked for');
    });

  const timer = setInterval(() => void checked(joins), checkEveryMs);

  return {
    /** Called when the group gave this member its partitions: nothing is fetched before the check. */
    joined: (assignment: Assignment): void => {
      assigned = assignment;
      expected.clear();
      const join = ++joins;
      const all = Object.entries(assignment).map(([topic, partitions]) => ({
        topic,
        partitions: [...partitions],
      }));
      consumer.pause(all);
      void checked(join).finally(() => {
        if (join === joins) consumer.resume(all);
      });
    },
    /** Called with a batch before it is handled: its first offset, and the one after its last. */
    received: async (topic: string, partition: number, first: bigint, next: bigint) => {
      const name = `${topic}/${partition}`;
      const from = expected.get(name);
      if (from !== undefined && first > from) {
        const low = (await oldestOffsets(topic)).get(partition) ?? 0n;
        const to = low < first ? low : first;
        if (to > from) report(topic, partition, from, to);
      }
      expected.set(name, next);
    },
    /** Called when messages from this offset on are to be read again. */
    refused: (topic: string, partition: number, first: bigint): void => {
      expected.set(`${topic}/${partition}`, first);
    },
    stop: (): void => {
      joins++;
      clearInterval(timer);
    },
  };
};
