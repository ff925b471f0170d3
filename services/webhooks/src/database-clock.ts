import type { Sql } from '@pto/database';

/**
 * The time by the clock of the database, in milliseconds since the epoch: what is signed, and what
 * orders or expires rows, must not depend on the clock of this node.
 */
export type DatabaseClock = () => number;

/** SQL for the time that {@link anchoredClock} takes: a float8 of milliseconds. */
export const databaseNowMs = '(extract(epoch from clock_timestamp()) * 1000)::float8';

/**
 * A clock that goes on from a time of the database by the monotonic clock of the process. It is
 * behind by the time that the answer of the database took, and ages with the drift of this node.
 * @param databaseMs milliseconds since the epoch, received just now.
 */
export const anchoredClock = (databaseMs: number): DatabaseClock => {
  const receivedAt = performance.now();
  return () => databaseMs + performance.now() - receivedAt;
};

/** Reads the time of the database once. */
export const readClock = async (sql: Sql): Promise<DatabaseClock> => {
  const [row] = await sql.query<{ ms: number }>(`select ${databaseNowMs} as ms`);
  return anchoredClock(row!.ms);
};
