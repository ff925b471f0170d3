import { setTimeout as sleep } from 'node:timers/promises';
import type { Telemetry } from '@pto/telemetry';
import type { Admin, Consumer } from 'kafkajs';
import type { SubscribeOptions } from '../../bus.ts';
import { retried } from '../topics/kafka-topics.ts';
import { committedOffsets } from './committed-offsets.ts';

const checkEveryMs = 30_000;
const responseTimeoutMs = 5000;
const pauseMs = 1000;

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
  subscription: Pick<SubscribeOptions, 'group' | 'topic' | 'lost' | 'positions'>;
  telemetry: Telemetry;
}) => {
  const { consumer, admin } = options;
  const { group, topic, positions, lost: reportLost = () => {} } = options.subscription;
  const { log } = options.telemetry;
  /** The next offset to read, by partition. */
  const expected = new Map<number, bigint>();
  let assigned: readonly number[] = [];
  let joins = 0;

  /**
   * Logs why a partition continues at another offset: messages are read again, messages were
   * deleted, or the topic was created again. Reports lost messages, and moves the stored position
   * past them.
   */
  const report = async (partition: number, at: bigint, start: Start): Promise<void> => {
    const { next, lost, restarted, skipped } = start;
    const where = { group, topic, partition };
    if (skipped)
      log.warn(
        { ...where, from: `${next}` },
        'messages before the committed offset are read again',
      );
    if (!lost && !restarted) return;
    await positions?.save(partition, next);
    const count = lost ? Number(lost.to - lost.from) : 1;
    if (lost)
      log.error(
        { ...where, from: `${lost.from}`, to: `${lost.to}`, count },
        'messages were deleted before the group had read them',
      );
    else
      log.error(
        { ...where, expected: `${at}`, from: `${next}` },
        'the offsets of the topic start again: messages that the group had not read are lost',
      );
    reportLost(count);
  };

  const offsetsOf = async () =>
    new Map(
      (await admin.fetchTopicOffsets(topic)).map(({ partition, low, high }) => [
        partition,
        { low: BigInt(low), high: BigInt(high) },
      ]),
    );

  /** Moves a partition's fetch position and its committed offset to the given offset. */
  const seek = async (partition: number, next: bigint): Promise<void> => {
    expected.set(partition, next);
    const offset = `${next}`;
    consumer.seek({ topic, partition, offset });
    await consumer.commitOffsets([{ topic, partition, offset }]);
  };

  const check = async (join: number, partitions: readonly number[]): Promise<void> => {
    const before = new Map(expected);
    const stored = await positions?.read();
    const committedBefore = await committedOffsets(admin, { group, topic });
    const offsets = await offsetsOf();
    for (const partition of partitions) {
      const there = offsets.get(partition);
      if (join !== joins) return; // a later join: the partitions may belong to another member
      const at = committedBefore.get(partition);
      // the cached metadata can lack a partition that was added a moment ago
      if (!there || at === undefined) continue;
      const committed = before.get(partition) ?? (at < 0n ? undefined : at);
      const handled = stored?.get(partition) ?? before.get(partition);
      const start = startOffset({ committed, handled, ...there });
      if (start.next !== committed) {
        await report(partition, handled ?? start.next, start);
        await seek(partition, start.next);
      } else if (!expected.has(partition)) expected.set(partition, start.next);
      if (stored?.get(partition) === undefined) await positions?.save(partition, start.next);
    }
  };

  const checked = (join: number): Promise<boolean> =>
    retried(performance.now() + responseTimeoutMs, () => check(join, assigned)).then(
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
    joined: async (partitions: readonly number[]): Promise<void> => {
      assigned = partitions;
      expected.clear();
      const join = ++joins;
      const all = [{ topic, partitions: [...partitions] }];
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
    received: async (partition: number, first: bigint): Promise<boolean> => {
      const from = expected.get(partition) ?? first;
      const isStored = !positions || (positions.known(partition) ?? -1n) >= first;
      if (from === first && isStored) return true;
      await check(joins, [partition]);
      const next = expected.get(partition) ?? first;
      // without a change, there are no messages between the expected offset and `first`
      return next === from || next === first;
    },
    /** Called after part of a batch was handled. @param next the offset after its last message. */
    handled: (partition: number, next: bigint): void => {
      expected.set(partition, next);
    },
    stop: (): void => {
      joins++;
      clearInterval(timer);
    },
  };
};

/** The offsets of one partition when a member starts to read it. */
export interface Known {
  /** The group's committed offset in Kafka; undefined if there is none. */
  readonly committed: bigint | undefined;
  /**
   * The offset after the last message that the service has handled; undefined if the service has
   * stored no offset.
   */
  readonly handled: bigint | undefined;
  /** The oldest readable offset. */
  readonly low: bigint;
  /** The offset after the newest readable message. */
  readonly high: bigint;
}

export interface Start {
  /** The offset at which the member continues. */
  readonly next: bigint;
  /** Range of offsets of messages that were not handled and can no longer be read. */
  readonly lost?: { readonly from: bigint; readonly to: bigint };
  /**
   * The offsets start again: the topic was deleted and created again, or lost its newest messages.
   */
  readonly restarted?: true;
  /** The committed offset is after messages that the service has not handled. */
  readonly skipped?: true;
}

/**
 * Returns the offset at which a member continues, so that it skips no readable message. This is the
 * committed offset; or the service's stored offset, if that is lower; or the oldest readable
 * offset, if the group has no committed offset or these offsets are outside of the partition's
 * range. Messages that are read again have no second effect.
 */
export const startOffset = ({ committed, handled, low, high }: Known): Start => {
  const known = handled ?? committed;
  if (known === undefined) return { next: low };
  if (known > high) return { next: low, restarted: true };
  if (known < low) return { next: low, lost: { from: known, to: low } };
  // Without a committed offset, this may be a new topic of the same name: deleting a topic deletes
  // the group's committed offsets.
  if (committed === undefined || committed < low) return { next: low };
  return committed > known ? { next: known, skipped: true } : { next: committed };
};
