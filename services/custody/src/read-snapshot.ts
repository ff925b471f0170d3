import type { Database, Sql } from '@pto/database';

/** Runs reads that must agree with one another in one REPEATABLE READ READ ONLY transaction. */
export const readSnapshot = <T>(db: Database, work: (sql: Sql) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    return work(tx);
  });
