import {
  type ArrayOf,
  anyOf,
  asynchronousCommit,
  type Given,
  insertRows,
  statement,
  unnestNumbered,
} from '@pto/database';
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

export const readAll = statement((given: Given<{ group: string; topics: ArrayOf<string> }>) =>
  tables
    .selectFrom('consumer_positions')
    .select(['topic', 'partition', 'next_offset'])
    .where('consumer', '=', given.group)
    .where('topic', '=', anyOf(given.topics, 'text')),
);

const columns = { topic: 'text', partition: 'int', next: 'bigint' } as const;

interface SavedPositions {
  readonly group: string;
  readonly topic: ArrayOf<string>;
  readonly partition: ArrayOf<number>;
  readonly next: ArrayOf<string>;
}

/** Selects the last one of the given positions for each partition. */
const lastOfEach = (given: Given<SavedPositions>) =>
  tables
    .selectFrom(unnestNumbered('p', given, columns))
    .distinctOn(['p.topic', 'p.partition'])
    .orderBy('p.topic')
    .orderBy('p.partition')
    .orderBy('p.n', 'desc');

type Last = (given: Given<SavedPositions>) => ReturnType<typeof lastOfEach>;

const saveBy = (last: Last) => (given: Given<SavedPositions>) =>
  insertRows(tables, 'consumer_positions', last(given), ({ ref }) => ({
    consumer: given.group,
    topic: ref('p.topic'),
    partition: ref('p.partition'),
    next_offset: ref('p.next'),
  })).onConflict((conflict) =>
    conflict
      .columns(['consumer', 'topic', 'partition'])
      .doUpdateSet(({ ref }) => ({ next_offset: ref('excluded.next_offset') })),
  );

export const saveAll = statement(saveBy(lastOfEach));
/** For a transaction without effects: after a lost position, messages are handled again. */
export const saveAsynchronously = statement(
  saveBy((given) => lastOfEach(given).where(asynchronousCommit)),
);
