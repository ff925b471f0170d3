import { createBatches } from '@pto/concurrency';
import { intArray, type Sql, textArray } from '@pto/database';
import type { Positions } from '../bus.ts';
import type { Source } from './source.ts';

/**
 * Statements for a service's migration: the table with the offset after the last handled message of
 * each partition. The offset is in the database of the effects, so a restored database has the
 * matching offset, and Kafka's tools cannot move it.
 */
export const consumerPositions: readonly string[] = [
  `create table consumer_positions (
    consumer text not null,
    topic text not null,
    partition int not null,
    next_offset bigint not null,
    primary key (consumer, topic, partition)
  )`,
];

/**
 * Returns the stored positions of one consumer. Concurrent calls share a statement, because the
 * partitions of a topic are handled together.
 */
export const positionsIn = (sql: Sql, { group }: Pick<Source, 'group'>): Positions => {
  const bounds = { inFlightMax: 1, batchMax: partitionsMax, waitingMax: Number.POSITIVE_INFINITY };
  const read = createBatches<string, ReadonlyMap<number, bigint>>(async (topics) => {
    const rows = await sql.query<{ topic: string; partition: number; next_offset: string }>(
      `select topic, partition, next_offset from consumer_positions
       where consumer = $1 and topic = any ($2::text[])`,
      [group, textArray([...new Set(topics)])],
    );
    const byTopic = Map.groupBy(rows, ({ topic }) => topic);
    return (topic) =>
      new Map(byTopic.get(topic)?.map((row) => [row.partition, BigInt(row.next_offset)]));
  }, bounds);
  const save = createBatches<Position, void>(async (positions) => {
    await sql.query(
      // of several calls for a partition the last
      `insert into consumer_positions (consumer, topic, partition, next_offset)
       select distinct on (topic, partition) $1, topic, partition, next_offset::bigint
       from unnest($2::text[], $3::int[], $4::text[]) with ordinality
         as p (topic, partition, next_offset, n)
       order by topic, partition, n desc
       on conflict (consumer, topic, partition) do update set next_offset = excluded.next_offset`,
      [
        group,
        textArray(positions.map(({ topic }) => topic)),
        intArray(positions.map(({ partition }) => partition)),
        textArray(positions.map(({ next }) => `${next}`)),
      ],
    );
    return () => {};
  }, bounds);
  return { read, save: (topic, partition, next) => save({ topic, partition, next }) };
};

interface Position {
  readonly topic: string;
  readonly partition: number;
  readonly next: bigint;
}

const partitionsMax = 64;
