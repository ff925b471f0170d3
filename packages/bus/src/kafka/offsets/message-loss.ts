import { setTimeout as sleep } from 'node:timers/promises';
import type { Telemetry } from '@pto/telemetry';
import type { Admin, Consumer } from 'kafkajs';
import type { LostMessages, Positions } from '../../bus.ts';
import { retried } from '../topics/kafka-topics.ts';
import { lossReporter } from './report-loss.ts';
import { startOffset } from './start-offset.ts';

const checkEveryMs = 30_000;
const responseTimeoutMs = 5000;
const pauseMs = 1000;

type Assignment = Readonly<Record<string, readonly number[]>>;

/**
 * Determines the offset at which a member continues in each partition, and reports messages that
 * Kafka deleted before the group had read them. (kafkajs would continue at the oldest message
 * without an error.) Compares three values: the committed offset, the offset that the service has
 * stored, and the partition's range of offsets. Compares them when the member joins, before it
 * fetches anything; every 30 s; and when a batch begins at an unexpected offset. If a partition has
 * no committed or no stored offset, stores one immediately, so that a later loss can be counted.
 * After a rebalance a lost range may be reported again, but no range is omitted. If a topic was
 * deleted and created again, reports one lost message, because the number is unknown.
 */
export const watchLoss = (options: {
  consumer: Pick<Consumer, 'pause' | 'resume' | 'seek' | 'commitOffsets'>;
  admin: Pick<Admin, 'fetchTopicOffsets' | 'fetchOffsets'>;
  group: string;
  positions?: Positions | undefined;
  lost(range: LostMessages): void;
  telemetry: Telemetry;
}) => {
  const { consumer, admin, group } = options;
  const { log } = options.telemetry;
  /** The next offset to read, by topic and partition. */
  const expected = new Map<string, bigint>();
  let assigned: Assignment = {};
  let joins = 0;

  const report = lossReporter(options);

  const offsetsOf = async (topic: string) =>
    new Map(
      (await admin.fetchTopicOffsets(topic)).map(({ partition, low, high }) => [
        partition,
        { low: BigInt(low), high: BigInt(high) },
      ]),
    );

  const committedOffsets = async (topic: string): Promise<Map<number, bigint>> => {
    const [committed] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
    return new Map(committed?.partitions.map((p) => [p.partition, BigInt(p.offset)]));
  };

  /** Moves a partition's fetch position and its committed offset to the given offset. */
  const seek = async (topic: string, partition: number, next: bigint): Promise<void> => {
    expected.set(`${topic}/${partition}`, next);
    const offset = `${next}`;
    consumer.seek({ topic, partition, offset });
    await consumer.commitOffsets([{ topic, partition, offset }]);
  };

  const checkTopic = async (topic: string, partitions: readonly number[], join: number) => {
    const before = new Map(expected);
    const positions = await options.positions?.read(topic);
    const stored = await committedOffsets(topic);
    const offsets = await offsetsOf(topic);
    for (const partition of partitions) {
      const name = `${topic}/${partition}`;
      const there = offsets.get(partition);
      if (join !== joins) return; // a later join: the partitions may belong to another member
      if (!there) continue;
      const at = stored.get(partition) ?? -1n;
      const committed = before.get(name) ?? (at < 0n ? undefined : at);
      const handled = positions?.get(partition) ?? before.get(name);
      const start = startOffset({ committed, handled, ...there });
      if (start.next !== committed) {
        await report(topic, partition, handled ?? start.next, start);
        await seek(topic, partition, start.next);
      } else if (!expected.has(name)) expected.set(name, start.next);
      if (positions?.get(partition) === undefined)
        await options.positions?.save(topic, partition, start.next);
    }
  };

  const check = async (join: number): Promise<void> => {
    for (const [topic, partitions] of Object.entries(assigned))
      await retried(performance.now() + responseTimeoutMs, () =>
        checkTopic(topic, partitions, join),
      );
  };
  const checked = (join: number): Promise<boolean> =>
    check(join).then(
      () => true,
      (err) => {
        if (join === joins) log.warn({ err, group }, 'the check for lost messages failed');
        return false;
      },
    );

  const timer = setInterval(() => void checked(joins), checkEveryMs);

  return {
    /**
     * Called when the group has assigned partitions to this member. Pauses the partitions until
     * their offsets are checked, so that the member fetches nothing before.
     */
    joined: async (assignment: Assignment): Promise<void> => {
      assigned = assignment;
      expected.clear();
      const join = ++joins;
      const all = Object.entries(assignment).map(([topic, partitions]) => ({
        topic,
        partitions: [...partitions],
      }));
      consumer.pause(all);
      while (join === joins && !(await checked(join))) await sleep(pauseMs);
      if (join === joins) consumer.resume(all);
    },
    /**
     * Called with a batch's first offset before the batch is handled. After the database was
     * restored, or its standby took over without the last commits, earlier messages must be handled
     * first. `handle` finds that; the next call reads the service's stored offset then.
     * @returns whether the batch may be handled; if not, the member continues at an earlier offset.
     */
    received: async (topic: string, partition: number, first: bigint): Promise<boolean> => {
      const name = `${topic}/${partition}`;
      const from = expected.get(name) ?? first;
      const stored = options.positions?.known(topic, partition) ?? -1n;
      if (from === first && stored >= first) {
        expected.set(name, first);
        return true;
      }
      const handled = (await options.positions?.read(topic))?.get(partition) ?? from;
      expected.set(name, first);
      if (from === first && handled >= first) return true;
      const there = (await offsetsOf(topic)).get(partition) ?? { low: first, high: first };
      const known = handled < from ? handled : from;
      const start = startOffset({ committed: first, handled: known, ...there });
      const wentBack = known < from && start.next < first;
      // there are no messages between the expected offset and `first`
      if (start.skipped && !wentBack) return true;
      const to = there.low < first ? there.low : first;
      const lost = start.lost && { lost: { from: known, to } };
      await report(topic, partition, known, { ...start, ...lost });
      if (wentBack) await seek(topic, partition, start.next);
      return !wentBack;
    },
    /** Called after part of a batch was handled. @param next the offset after its last message. */
    handled: (topic: string, partition: number, next: bigint): void => {
      expected.set(`${topic}/${partition}`, next);
    },
    stop: (): void => {
      joins++;
      clearInterval(timer);
    },
  };
};
