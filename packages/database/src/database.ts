import type { PoolClient } from 'pg';

/** Runs one parametrized statement ($1, $2 …). Rows have the columns' names. */
export interface Sql {
  query<Row>(text: string, parameters?: readonly unknown[]): Promise<Row[]>;
}

/** An open transaction. */
export interface Transaction extends Sql {
  /**
   * Runs statements whose result is not needed. `query` returns no rows, before the statement runs:
   * the statement is sent in one message with the next one of the transaction, or with its commit.
   * An error of the statement rejects that next statement, or `transaction`. A statement with
   * `returning` does not belong here: after a migration that changes its result type it would fail.
   */
  readonly pipelined: Sql;
  /**
   * Runs statements in one message with the next statement of the transaction, which must be issued
   * in the same turn of the event loop: `Promise.all([first(tx.withNext), second(tx)])`. Otherwise
   * the statement is sent alone at the end of the turn. An error rejects this statement and those
   * behind it.
   */
  readonly withNext: Sql;
}

/**
 * The database of one service. While the database is unavailable, calls throw Failure
 * SERVICE_UNAVAILABLE; a statement or lock that takes too long throws DEADLINE_EXCEEDED. A
 * statement outside of `transaction` is a transaction of its own, and is retried like a
 * transaction. Statements with parameters are prepared (pooled-connection.ts).
 */
export interface Database extends Sql {
  /** Takes a connection out of the pool, for session locks. The caller must release it. */
  session(): Promise<PoolClient>;
  /**
   * Runs `work` in a READ COMMITTED transaction. After a deadlock, a serialization failure or a
   * stale plan (sql-state.ts), `work` runs again, up to `attemptsMax` times in all. Therefore
   * `work` must not have effects outside the transaction.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs reads in one REPEATABLE READ READ ONLY transaction, so that all see the same snapshot. */
  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * @param use what the caller needs the database for; writes by default.
   * @throws Failure SERVICE_UNAVAILABLE if the database cannot be reached or accepts no writes.
   */
  ping(use?: 'reads' | 'writes'): Promise<void>;
  /** @throws Error while this process's clock differs from the database's by more than a minute. */
  checkClock(): Promise<void>;
  /**
   * Waits for the running work, then closes the connections. Later calls throw Failure
   * SERVICE_UNAVAILABLE.
   */
  close(): Promise<void>;
}
