import { defaultPartitions, type Topic } from '../bus.ts';
import type { BusPool } from './bus-pool.ts';

/** Creates a topic. An existing one keeps its number of partitions. */
export const ensurePostgresTopics = async (
  pool: BusPool,
  topics: readonly Topic[],
): Promise<void> => {
  // sorted, so that two who make the same topics at once do not wait for each other in a ring
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

/** Numbers of partitions, which never change, by topic. */
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
