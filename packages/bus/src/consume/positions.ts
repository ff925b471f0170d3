import { createBatches } from '@pto/concurrency';
import {
  type ArrayOf,
  anyOf,
  asynchronousCommit,
  type Given,
  insertAll,
  type Sql,
  statement,
  type Transaction,
  textArray,
} from '@pto/database';
import { Failure } from '@pto/errors';
import type { IncomingMessage, Positions } from '../bus.ts';
import { type Source, tables } from './consumer-tables.ts';

const readAll = statement((given: Given<{ group: string; topics: ArrayOf<string> }>) =>
  tables
    .selectFrom('consumer_positions')
    .select(['topic', 'partition', 'next_offset'])
    .where('consumer', '=', given.group)
    .where('topic', '=', anyOf(given.topics, 'text')),
);

const saveIn = (commit: typeof asynchronousCommit | undefined) =>
  insertAll(tables, 'consumer_positions', (insert) =>
    insert.onConflict((conflict) => {
      const moved = conflict
        .columns(['consumer', 'topic', 'partition'])
        .doUpdateSet(({ ref }) => ({ next_offset: ref('excluded.next_offset') }));
      return commit ? moved.where(commit) : moved;
    }),
  );

const saveAll = saveIn(undefined);
/** For a transaction without effects: after a lost position, messages are handled again. */
const saveAsynchronously = saveIn(asynchronousCommit);

/** Positions that are compared and stored in the transactions of the effects. */
export interface StoredPositions extends Positions {
  /**
   * Compares the stored positions of the messages' partitions with the known ones, in one message
   * with the transaction's next statement.
   * @throws Failure SERVICE_UNAVAILABLE if one has moved back: the database was restored, or its
   *   standby took over without the last commits. Then no position is known any more.
   */
  requireKnown(tx: Transaction, messages: readonly IncomingMessage[]): Promise<void>;
  /** Stores the positions after the messages, in one message with the transaction's commit. */
  saveWith(tx: Transaction, messages: readonly IncomingMessage[]): Promise<void>;
  /** Called after the commit of a transaction with `saveWith`. */
  saved(messages: readonly IncomingMessage[]): void;
}

/**
 * Returns the stored positions of one consumer. Concurrent calls share one statement, because many
 * partitions of a topic are handled at the same time.
 */
export const positionsIn = (sql: Sql, { group }: Pick<Source, 'group'>): StoredPositions => {
  const known = new Map<string, bigint>();
  /** Positions that a transaction has stored, until the bus asks for that. */
  const stored = new Map<string, bigint>();

  /** The rows of the last one of the given positions for each partition, in one order. */
  const toSave = (positions: readonly Position[]) =>
    [...new Map(positions.map((position) => [nameOf(position), position])).values()]
      .sort((a, b) => a.partition - b.partition)
      .map(({ topic, partition, next }) => ({
        consumer: group,
        topic,
        partition,
        next_offset: `${next}`,
      }));
  // `waitingMax` needs no limit: the caller has at most one open call per partition
  const bounds = { inFlightMax: 1, batchMax: partitionsMax, waitingMax: Number.POSITIVE_INFINITY };
  const read = createBatches<string, ReadonlyMap<number, bigint>>(async (topics) => {
    const rows = await readAll(sql, { group, topics: textArray([...new Set(topics)]) });
    const byTopic = Map.groupBy(rows, ({ topic }) => topic);
    for (const row of rows) known.set(nameOf(row), BigInt(row.next_offset));
    return (topic) =>
      new Map(byTopic.get(topic)?.map((row) => [row.partition, BigInt(row.next_offset)]));
  }, bounds);
  const save = createBatches<Position, void>(async (positions) => {
    await saveAsynchronously(sql, toSave(positions));
    for (const position of positions) known.set(nameOf(position), position.next);
    return () => {};
  }, bounds);
  return {
    read,
    known: (topic, partition) => known.get(nameOf({ topic, partition })),
    save: async (topic, partition, next) => {
      const name = nameOf({ topic, partition });
      const isStored = stored.get(name) === next;
      stored.delete(name);
      if (!isStored) await save({ topic, partition, next });
    },
    requireKnown: async (tx, messages) => {
      const topics = textArray([...new Set(messages.map(({ topic }) => topic))]);
      const rows = await readAll(tx.withNext, { group, topics });
      const handled = new Set(messages.map(nameOf));
      const isBehind = (row: (typeof rows)[number]) =>
        handled.has(nameOf(row)) && BigInt(row.next_offset) < (known.get(nameOf(row)) ?? 0n);
      if (!rows.some(isBehind)) return;
      known.clear();
      throw new Failure('SERVICE_UNAVAILABLE', 'The stored position has moved back.');
    },
    saveWith: async (tx, messages) => {
      await saveAll(tx.pipelined, toSave(messages.map(positionAfter)));
    },
    saved: (messages) => {
      for (const position of messages.map(positionAfter)) {
        known.set(nameOf(position), position.next);
        stored.set(nameOf(position), position.next);
      }
    },
  };
};

const nameOf = ({ topic, partition }: { topic: string; partition: number }) =>
  `${topic}/${partition}`;

const positionAfter = ({ topic, partition, offset }: IncomingMessage): Position => ({
  topic,
  partition,
  next: BigInt(offset) + 1n,
});

interface Position {
  readonly topic: string;
  readonly partition: number;
  readonly next: bigint;
}

const partitionsMax = 64;
