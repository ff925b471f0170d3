import { execute, fragment, type Given, statement } from '@pto/database';
import type { BusPool } from './bus-pool.ts';
import { tables } from './bus-schema.ts';

/**
 * Registers the group on the topic: a new group starts at the oldest message, a known one keeps its
 * offsets.
 * @returns the subscription's number.
 */
export const subscriptionId = async (
  pool: BusPool,
  group: string,
  topic: string,
): Promise<number> => {
  await execute(
    pool,
    tables
      .insertInto('subscriptions')
      .values({ consumer_group: group, topic })
      .onConflict((conflict) => conflict.doNothing()),
  );
  const [row] = await execute(
    pool,
    tables
      .with('known', (db) =>
        db
          .selectFrom('subscriptions')
          .select('id')
          .where('consumer_group', '=', group)
          .where('topic', '=', topic),
      )
      .with('made', (db) =>
        db
          .insertInto('subscription_offsets')
          .columns(['subscription', 'partition', 'next_offset'])
          .expression(
            db
              .selectFrom(['known as k', 'topic_partitions as p'])
              .where('p.topic', '=', topic)
              .select(({ fn, ref, selectFrom }) => [
                'k.id',
                'p.partition',
                fn
                  .coalesce(
                    selectFrom('messages as m')
                      .select((m) => m.fn.min('m.offset').as('oldest'))
                      .whereRef('m.topic', '=', 'p.topic')
                      .whereRef('m.partition', '=', 'p.partition'),
                    ref('p.next_offset'),
                  )
                  .as('next_offset'),
              ]),
          )
          .onConflict((conflict) => conflict.doNothing()),
      )
      .selectFrom('known')
      .select('id'),
  );
  return row!.id;
};

const selectDue = statement(
  (given: Given<{ subscription: number; topic: string; partitions: readonly number[] }>) =>
    tables
      .selectFrom('topic_partitions as p')
      .innerJoin('subscription_offsets as o', 'o.partition', 'p.partition')
      .select(['p.partition', 'o.next_offset as offset'])
      .where('o.subscription', '=', given.subscription)
      .where('p.topic', '=', given.topic)
      .where(({ eb, fn }) => eb('p.partition', '=', fn.any(given.partitions)))
      .whereRef('o.next_offset', '<', 'p.next_offset'),
);

export interface Due {
  readonly partition: number;
  /** Offset of the first message that is not handled. */
  readonly offset: string;
}

/** Returns those of the given partitions that have messages to handle. */
export const duePartitions = (
  pool: BusPool,
  subscription: number,
  topic: string,
  partitions: readonly number[],
): Promise<Due[]> => selectDue(pool, { subscription, topic, partitions });

const raiseOffset = statement(
  (given: Given<{ subscription: number; partition: number; nextOffset: string }>) =>
    tables
      .updateTable('subscription_offsets')
      .set(({ cast, fn, ref }) => ({
        next_offset: fn<string>('greatest', [
          ref('next_offset'),
          cast<string>(given.nextOffset, 'bigint'),
        ]),
      }))
      .where('subscription', '=', given.subscription)
      .where('partition', '=', given.partition),
);

/**
 * Stores the offset unless the stored offset is higher: a member that lost its partition may store
 * its offset later than the partition's next owner.
 */
export const commitOffset = async (
  pool: BusPool,
  subscription: number,
  partition: number,
  nextOffset: bigint,
): Promise<void> => {
  await raiseOffset(pool, { subscription, partition, nextOffset: `${nextOffset}` });
};

export const postgresLag = async (pool: BusPool, group: string, topic: string): Promise<number> => {
  const [row] = await execute(
    pool,
    tables
      .selectFrom('topic_partitions as p')
      .leftJoin('subscriptions as s', (join) =>
        join.on('s.consumer_group', '=', group).onRef('s.topic', '=', 'p.topic'),
      )
      .leftJoin('subscription_offsets as o', (join) =>
        join.onRef('o.subscription', '=', 's.id').onRef('o.partition', '=', 'p.partition'),
      )
      .where('p.topic', '=', topic)
      .select(({ ref }) =>
        fragment<string>`coalesce(sum(${ref('p.next_offset')}
          - coalesce(${ref('o.next_offset')}, 0)), 0)`.as('lag'),
      ),
  );
  return Number(row!.lag);
};
