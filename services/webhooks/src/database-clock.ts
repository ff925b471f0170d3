import { execute, fragment, type Sql } from '@pto/database';
import { tables } from './schema/entities.ts';

/**
 * Returns the database's time in milliseconds since the epoch. Signatures, the order of rows and
 * their expiry must not depend on the clock of this machine.
 */
export type DatabaseClock = () => number;

/** SQL expression for the argument of {@link anchoredClock}: the time in ms as float8. */
export const databaseNowMs = '(extract(epoch from clock_timestamp()) * 1000)::float8';

/**
 * Returns a clock that starts at a time of the database and continues with the monotonic clock of
 * this process. It lags by the time that the database's response took, and drifts with this
 * machine's clock.
 * @param databaseMs the database's time in milliseconds since the epoch, received just now.
 */
export const anchoredClock = (databaseMs: number): DatabaseClock => {
  const receivedAt = performance.now();
  return () => databaseMs + performance.now() - receivedAt;
};

const readNow = tables.selectNoFrom(fragment<number>`${fragment.raw(databaseNowMs)}`.as('ms'));

/** Reads the database's time once and returns a clock that continues from it. */
export const readClock = async (sql: Sql): Promise<DatabaseClock> => {
  const [row] = await execute(sql, readNow);
  return anchoredClock(row!.ms);
};
