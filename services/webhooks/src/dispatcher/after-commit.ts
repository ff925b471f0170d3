import type { Database, Transaction } from '@pto/database';

/**
 * Tells of what transactions have done once they are committed: each for itself, however many run
 * at once. One that is rolled back is not told.
 */
export const afterCommit = (database: Database, committed: () => void) => {
  const marked = new WeakSet<Transaction>();
  const db: Database = {
    ...database,
    transaction: async (work) => {
      let last: Transaction | undefined;
      const result = await database.transaction((tx) => {
        last = tx;
        return work(tx);
      });
      if (last && marked.has(last)) committed();
      return result;
    },
  };
  return {
    /** The same database, whose transactions are watched. */
    db,
    /** Asks for a call of `committed` when this transaction of `db` is committed. */
    mark: (tx: Transaction): void => {
      marked.add(tx);
    },
  };
};
