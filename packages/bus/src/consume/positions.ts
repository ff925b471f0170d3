import {
  bulkInsert,
  type Placeholders,
  type Sql,
  statement,
  type Transaction,
} from '@pto/database';
import { Failure } from '@pto/errors';
import type { IncomingMessage, Positions } from '../bus.ts';
import { type Source, tables } from './consumer-tables.ts';

const readAll = statement((given: Placeholders<Source>) =>
  tables
    .selectFrom('consumer_positions')
    .select(['partition', 'next_offset'])
    .where('consumer', '=', given.group)
    .where('topic', '=', given.topic),
);

const saveAll = bulkInsert(tables, 'consumer_positions', (insert) =>
  insert.onConflict((conflict) =>
    conflict
      .columns(['consumer', 'topic', 'partition'])
      .doUpdateSet(({ ref }) => ({ next_offset: ref('excluded.next_offset') })),
  ),
);

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

/** Returns the stored positions of one consumer. */
export const positionsIn = (sql: Sql, { group, topic }: Source): StoredPositions => {
  const known = new Map<number, bigint>();
  const read = async (on: Sql): Promise<Map<number, bigint>> => {
    const rows = await readAll(on, { group, topic });
    return new Map(rows.map((row) => [row.partition, BigInt(row.next_offset)]));
  };
  /** The partitions are in one order, so that two transactions do not deadlock. */
  const save = (on: Sql, positions: ReadonlyMap<number, bigint>) =>
    saveAll(
      on,
      [...positions]
        .sort(([a], [b]) => a - b)
        .map(([partition, next]) => ({
          consumer: group,
          topic,
          partition,
          next_offset: `${next}`,
        })),
    );
  const learn = (positions: ReadonlyMap<number, bigint>) => {
    for (const [partition, next] of positions) known.set(partition, next);
  };
  return {
    read: async () => {
      const positions = await read(sql);
      learn(positions);
      return positions;
    },
    known: (partition) => known.get(partition),
    save: async (partition, next) => {
      if (known.get(partition) === next) return;
      const position = new Map([[partition, next]]);
      await save(sql, position);
      learn(position);
    },
    requireKnown: async (tx, messages) => {
      const stored = await read(tx.withNext);
      const isBehind = ({ partition }: IncomingMessage) => {
        const position = stored.get(partition);
        return position !== undefined && position < (known.get(partition) ?? 0n);
      };
      if (!messages.some(isBehind)) return;
      known.clear();
      throw new Failure('SERVICE_UNAVAILABLE', 'The stored position has moved back.');
    },
    saveWith: async (tx, messages) => {
      await save(tx.pipelined, positionsAfter(messages));
    },
    saved: (messages) => learn(positionsAfter(messages)),
  };
};

/** The position after the last message of each partition. */
const positionsAfter = (messages: readonly IncomingMessage[]): Map<number, bigint> =>
  new Map(messages.map(({ partition, offset }) => [partition, BigInt(offset) + 1n]));
