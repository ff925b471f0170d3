import { type Given, type Sql, statement } from '@pto/database';
import type { Positions } from '../bus.ts';
import type { Source } from './source.ts';
import { tables } from './tables.ts';

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

const readAll = statement((given: Given<{ group: string; topic: string }>) =>
  tables
    .selectFrom('consumer_positions')
    .select(['partition', 'next_offset'])
    .where('consumer', '=', given.group)
    .where('topic', '=', given.topic),
);

const saveOne = statement(
  (given: Given<{ group: string; topic: string; partition: number; next: string }>) =>
    tables
      .insertInto('consumer_positions')
      .values({
        consumer: given.group,
        topic: given.topic,
        partition: given.partition,
        next_offset: given.next,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['consumer', 'topic', 'partition'])
          .doUpdateSet(({ ref }) => ({ next_offset: ref('excluded.next_offset') })),
      ),
);

/** Returns the stored positions of one consumer. */
export const positionsIn = (sql: Sql, { group }: Pick<Source, 'group'>): Positions => ({
  read: async (topic) => {
    const rows = await readAll(sql, { group, topic });
    return new Map(rows.map((row) => [row.partition, BigInt(row.next_offset)]));
  },
  save: async (topic, partition, next) => {
    await saveOne(sql, { group, topic, partition, next: `${next}` });
  },
});
