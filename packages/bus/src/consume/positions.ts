import type { Sql } from '@pto/database';
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

/** Returns the stored positions of one consumer. */
export const positionsIn = (sql: Sql, { group }: Pick<Source, 'group'>): Positions => ({
  read: async (topic) => {
    const rows = await sql.query<{ partition: number; next_offset: string }>(
      'select partition, next_offset from consumer_positions where consumer = $1 and topic = $2',
      [group, topic],
    );
    return new Map(rows.map((row) => [row.partition, BigInt(row.next_offset)]));
  },
  save: async (topic, partition, next) => {
    await sql.query(
      `insert into consumer_positions (consumer, topic, partition, next_offset)
       values ($1, $2, $3, $4)
       on conflict (consumer, topic, partition) do update set next_offset = excluded.next_offset`,
      [group, topic, partition, `${next}`],
    );
  },
});
