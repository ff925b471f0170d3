import type { Database, Transaction } from '@pto/database';

/**
 * Calls `committed` after the commit of each transaction marked with `mark`. A rollback calls
 * nothing.
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
    /** The given database; only its transactions can be marked. */
    db,
    /** Marks a transaction of `db`. After its commit, `committed` is called. */
    mark: (tx: Transaction): void => {
      marked.add(tx);
    },
  };
};
