import { createBatches } from '@pto/concurrency';
import {
  type ArrayOf,
  anyOf,
  asynchronousCommit,
  type Given,
  insertRows,
  intArray,
  type Sql,
  statement,
  textArray,
  unnestNumbered,
} from '@pto/database';
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

const readAll = statement((given: Given<{ group: string; topics: ArrayOf<string> }>) =>
  tables
    .selectFrom('consumer_positions')
    .select(['topic', 'partition', 'next_offset'])
    .where('consumer', '=', given.group)
    .where('topic', '=', anyOf(given.topics)),
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
    .where(asynchronousCommit) // after a lost position, messages are handled again
    .distinctOn(['p.topic', 'p.partition'])
    .orderBy('p.topic')
    .orderBy('p.partition')
    .orderBy('p.n', 'desc');

const saveAll = statement((given: Given<SavedPositions>) =>
  insertRows(tables, 'consumer_positions', lastOfEach(given), ({ ref }) => ({
    consumer: given.group,
    topic: ref('p.topic'),
    partition: ref('p.partition'),
    next_offset: ref('p.next'),
  })).onConflict((conflict) =>
    conflict
      .columns(['consumer', 'topic', 'partition'])
      .doUpdateSet(({ ref }) => ({ next_offset: ref('excluded.next_offset') })),
  ),
);

/**
 * Returns the stored positions of one consumer. Concurrent calls share one statement, because many
 * partitions of a topic are handled at the same time.
 */
export const positionsIn = (sql: Sql, { group }: Pick<Source, 'group'>): Positions => {
  // `waitingMax` needs no limit: the caller has at most one open call per partition
  const bounds = { inFlightMax: 1, batchMax: partitionsMax, waitingMax: Number.POSITIVE_INFINITY };
  const read = createBatches<string, ReadonlyMap<number, bigint>>(async (topics) => {
    const rows = await readAll(sql, { group, topics: textArray([...new Set(topics)]) });
    const byTopic = Map.groupBy(rows, ({ topic }) => topic);
    return (topic) =>
      new Map(byTopic.get(topic)?.map((row) => [row.partition, BigInt(row.next_offset)]));
  }, bounds);
  const save = createBatches<Position, void>(async (positions) => {
    await saveAll(sql, {
      group,
      topic: textArray(positions.map(({ topic }) => topic)),
      partition: intArray(positions.map(({ partition }) => partition)),
      next: positions.map(({ next }) => `${next}`),
    });
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
