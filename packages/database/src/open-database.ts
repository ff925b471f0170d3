import { setTimeout as sleep } from 'node:timers/promises';
import { Histogram, type Telemetry } from '@pto/telemetry';
import type { QueryResult } from 'pg';
import { watchClock } from './clock-skew.ts';
import { checkSession } from './connections/check-session.ts';
import { observePool, openPool, type PoolOptions } from './connections/pool.ts';
import type { PooledConnection } from './connections/pooled-connection.ts';
import { takingFrom } from './connections/take-connection.ts';
import type { Database, Sql, Transaction } from './database.ts';
import { openOutsideCalls } from './outside-calls.ts';
import { databaseUnavailable, mayBeRetried, storeFailure } from './sql-state.ts';

const attemptsMax = 5;

export const openDatabase = async (
  options: PoolOptions & {
    telemetry: Telemetry;
    /** Interval between comparisons of the clocks, in ms (10 s). */
    clockEveryMs?: number;
  },
): Promise<Database> => {
  const pool = openPool(options);
  await checkSession(pool, options).catch(async (error) => {
    await pool.end();
    throw error;
  });
  observePool(pool, options.telemetry);
  const take = takingFrom(pool);
  const seconds = new Histogram({
    name: 'database_transaction_seconds',
    help: 'Transactions from begin to commit, retries included',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [options.telemetry.metrics],
  });
  const outsideCalls = process.env.FORBID_OUTSIDE_CALLS === '1' ? openOutsideCalls() : undefined;
  const running = new Set<Promise<unknown>>();
  let hasEnded = false;

  /** Runs work that `close` waits for. */
  const tracked = async <T>(work: () => Promise<T>): Promise<T> => {
    if (hasEnded) throw databaseUnavailable(undefined, 'This process is ending.');
    const promise = work();
    running.add(promise);
    try {
      return await promise;
    } finally {
      running.delete(promise);
    }
  };

  /**
   * Runs an attempt on a connection, and again after a deadlock, a serialization failure or a stale
   * plan, up to `attemptsMax` attempts in all.
   * @throws Failure SERVICE_UNAVAILABLE after these; any other error converted by `storeFailure`.
   */
  const retried = <T>(attempt: (connection: PooledConnection) => Promise<T>): Promise<T> => {
    outsideCalls?.secondConnection();
    return tracked(async () => {
      for (let n = 1; ; n++) {
        try {
          return await onConnection(attempt);
        } catch (error) {
          if (!mayBeRetried(error)) throw storeFailure(error);
          if (n === attemptsMax)
            throw databaseUnavailable(error, 'Other requests change the same data right now.');
          await sleep(Math.random() * 10 * 2 ** n);
        }
      }
    });
  };

  const onConnection = async <T>(
    work: (connection: PooledConnection) => Promise<T>,
  ): Promise<T> => {
    const client = await take();
    const connection = client as unknown as PooledConnection;
    try {
      return await work(connection);
    } finally {
      // no read-only session stays in the pool: it would still be one after a failover
      client.release(connection.isReadOnly);
    }
  };

  const inTransaction =
    <T>(begin: Parameters<PooledConnection['begin']>[0], work: (tx: Transaction) => Promise<T>) =>
    async (connection: PooledConnection): Promise<T> => {
      connection.begin(begin);
      try {
        const tx = transactionOn(connection);
        const result = await (outsideCalls?.watch(() => work(tx)) ?? work(tx));
        await connection.commit();
        return result;
      } catch (error) {
        await connection.rollback().catch(() => void connection.end());
        throw error;
      }
    };

  const query: Sql['query'] = (text, parameters) =>
    retried((connection) => rowsOf(connection.run(text, parameters)));
  const clock = watchClock({ query }, options.telemetry, options.clockEveryMs);

  return {
    session: take,
    query,
    transaction: async (statements) => {
      const end = seconds.startTimer();
      const result = await retried(inTransaction('begin', statements));
      end();
      return result;
    },
    snapshot: (reads) =>
      retried(inTransaction('begin isolation level repeatable read read only', reads)),
    ping: async (use = 'writes') => {
      const text = "select current_setting('transaction_read_only') = 'off' as off";
      const [row] = await tracked(() =>
        onConnection((connection) => rowsOf<{ off: boolean }>(connection.run(text))),
      ).catch((error) => {
        throw storeFailure(error);
      });
      if (use === 'writes' && !row!.off)
        throw databaseUnavailable(undefined, 'The database accepts no writes right now.');
    },
    checkClock: clock.check,
    close: async () => {
      clock.stop();
      outsideCalls?.close();
      hasEnded = true;
      // a closing pool gives no connection to a statement that waits for one
      await Promise.allSettled(running);
      if (!pool.ending) await pool.end();
    },
  };
};

const transactionOn = (connection: PooledConnection): Transaction => ({
  query: (text, parameters) => rowsOf(connection.run(text, parameters)),
  pipelined: {
    query: async (text, parameters) => {
      connection.hold(text, parameters);
      return [];
    },
  },
  withNext: { query: (text, parameters) => rowsOf(connection.runWithNext(text, parameters)) },
});

const rowsOf = async <Row>(result: Promise<QueryResult>): Promise<Row[]> => {
  try {
    return (await result).rows;
  } catch (error) {
    throw storeFailure(error);
  }
};
