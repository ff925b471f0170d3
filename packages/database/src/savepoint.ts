import type { Transaction } from './database.ts';

/**
 * Runs work that may fail without ending the transaction. If the work fails with an expected error,
 * PostgreSQL rolls back to the savepoint: the transaction's other work stays. The statements are
 * text because the builder has none for savepoints.
 * @param isExpected returns true for an error that ends only this work. Any other error is thrown.
 * @returns the expected error, or null if the work succeeded.
 */
export const withSavepoint = async (
  tx: Transaction,
  work: () => Promise<void>,
  isExpected: (error: unknown) => boolean,
): Promise<unknown> => {
  await tx.pipelined.query('savepoint work');
  try {
    await work();
    await tx.pipelined.query('release savepoint work');
    return null;
  } catch (error) {
    if (!isExpected(error)) throw error;
    await tx.query('rollback to savepoint work');
    return error;
  }
};
