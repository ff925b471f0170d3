import { execute, type Given, statement } from '@pto/database';
import { defaultPartitions, type Topic } from '../bus.ts';
import type { BusPool } from './bus-pool.ts';
import { tables } from './bus-schema.ts';

const makeTopic = statement((given: Given<{ name: string; partitions: number }>) =>
  tables
    .with('made', (db) =>
      db
        .insertInto('topics')
        .values({ name: given.name, partitions: given.partitions })
        .onConflict((conflict) => conflict.doNothing())
        .returning(['name', 'partitions']),
    )
    .insertInto('topic_partitions')
    .columns(['topic', 'partition'])
    .expression(({ selectFrom }) =>
      selectFrom('made').select(({ eb, fn, lit }) => [
        'name',
        fn<number>('generate_series', [lit(0), eb('partitions', '-', lit(1))]).as('partition'),
      ]),
    ),
);

/** Creates topics. An existing topic keeps its number of partitions. */
export const ensurePostgresTopics = async (
  pool: BusPool,
  topics: readonly Topic[],
): Promise<void> => {
  // sorted, so that two processes that create the same topics do not deadlock
  for (const { name, partitions } of [...topics].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    await makeTopic(pool, { name, partitions: partitions ?? defaultPartitions });
  }
};

/**
 * Returns a function that reads the number of partitions of a topic and caches it: the number never
 * changes. The function throws an Error for an unknown topic.
 */
export const partitionCounts = (pool: BusPool): ((topic: string) => Promise<number>) => {
  const known = new Map<string, number>();
  return async (topic) => {
    const count =
      known.get(topic) ??
      (
        await execute(
          pool,
          tables.selectFrom('topics').select('partitions').where('name', '=', topic),
        )
      )[0]?.partitions;
    if (count === undefined) throw new Error(`there is no topic ${topic}`);
    known.set(topic, count);
    return count;
  };
};
