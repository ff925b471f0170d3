import { defaultPartitions, type Topic } from '../bus.ts';
import type { BusPool } from './bus-pool.ts';

/** Creates topics. An existing topic keeps its number of partitions. */
export const ensurePostgresTopics = async (
  pool: BusPool,
  topics: readonly Topic[],
): Promise<void> => {
  // sorted, so that two processes that create the same topics do not deadlock
  for (const { name, partitions } of [...topics].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    await pool.query(
      `with made as (
        insert into topics (name, partitions) values ($1, $2) on conflict do nothing
        returning name, partitions)
      insert into topic_partitions (topic, partition)
        select name, generate_series(0, partitions - 1) from made`,
      [name, partitions ?? defaultPartitions],
    );
  }
};

/**
 * Returns a function that reads the number of partitions of a topic and caches it: it never
 * changes.
 */
export const partitionCounts = (pool: BusPool): ((topic: string) => Promise<number>) => {
  const known = new Map<string, number>();
  return async (topic) => {
    const count =
      known.get(topic) ??
      (
        await pool.query<{ partitions: number }>('select partitions from topics where name = $1', [
          topic,
        ])
      )[0]?.partitions;
    if (count === undefined) throw new Error(`there is no topic ${topic}`);
    known.set(topic, count);
    return count;
  };
};
