import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@pto/errors';
import { Histogram, type Telemetry } from '@pto/telemetry';
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { watchClock } from './clock-skew.ts';
import { checkSession, observePool, openPool } from './connections/connection.ts';
import { markPipelined, markWithNext } from './connections/pipelined-statements.ts';
import type { Database, Sql, Transaction } from './database.ts';
import { openOutsideCalls } from './outside-calls.ts';
import { contention, mayBeRetried, readOnlyFailure, storeFailure } from './sql-state.ts';

const attemptsMax = 5;

export const openDatabase = async (options: {
  url: string;
  poolMax: number;
  statementTimeoutMs: number;
  lockTimeoutMs: number;
  /** PostgreSQL settings for every connection, such as `{ enable_hashjoin: 'off' }`. */
  session?: Readonly<Record<string, string>>;
  telemetry: Telemetry;
  /** Interval between comparisons of the clocks, in ms (10 s). */
  clockEveryMs?: number;
}): Promise<Database> => {
  const pool = openPool(options);
  const client = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  await checkSession(pool, options).catch(async (error) => {
    await client.destroy();
    throw error;
  });
  observePool(pool, options.telemetry);
  const seconds = new Histogram({
    name: 'database_transaction_seconds',
    help: 'Transactions from begin to commit, retries included',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [options.telemetry.metrics],
  });

  const run = async <Row>(
    on: Pick<Kysely<unknown>, 'executeQuery'>,
    text: string,
    parameters: readonly unknown[] = [],
    held?: 'pipelined' | 'withNext',
  ): Promise<Row[]> => {
    const given = [...parameters];
    if (held === 'pipelined') markPipelined(given);
    const later = held === 'withNext' ? markWithNext(given) : undefined;
    try {
      const result = await on.executeQuery<Row>(CompiledQuery.raw(text, given));
      return later ? ((await later).rows as Row[]) : result.rows;
    } catch (error) {
      throw storeFailure(error);
    }
  };

  const work = createOpenWork();
  const outsideCalls = openOutsideCalls();
  /**
   * Runs an attempt again after a deadlock, a serialization failure or a stale plan, up to
   * `attemptsMax` attempts in all.
   * @throws the error of the last attempt, converted by `contention` or `storeFailure`.
   */
  const retried = <T>(attempt: () => Promise<T>): Promise<T> => {
    outsideCalls.secondConnection();
    return work.run(async () => {
      for (let n = 1; ; n++) {
        try {
          return await attempt();
        } catch (error) {
          if (!mayBeRetried(error)) throw storeFailure(error);
          if (n === attemptsMax) throw contention(error);
          await sleep(Math.random() * 10 * 2 ** n);
        }
      }
    });
  };

  const attempt = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
    client.transaction().execute((on) =>
      outsideCalls.watch(() =>
        work({
          query: (text, parameters) => run(on, text, parameters),
          pipelined: { query: (text, parameters) => run(on, text, parameters, 'pipelined') },
          withNext: { query: (text, parameters) => run(on, text, parameters, 'withNext') },
        }),
      ),
    );

  const readSnapshot = <T>(work: (sql: Sql) => Promise<T>): Promise<T> =>
    client
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((on) =>
        outsideCalls.watch(() => work({ query: (text, parameters) => run(on, text, parameters) })),
      );

  const query: Sql['query'] = (text, parameters) => retried(() => run(client, text, parameters));
  const clock = watchClock({ query }, options.telemetry, { everyMs: options.clockEveryMs });

  return {
    session: () => pool.connect(),
    query,
    transaction: async (statements) => {
      const end = seconds.startTimer();
      const result = await retried(() => attempt(statements));
      end();
      return result;
    },
    snapshot: (reads) => retried(() => readSnapshot(reads)),
    ping: async (use = 'writes') => {
      const [row] = await work.run(() =>
        run<{ off: boolean }>(
          client,
          "select current_setting('transaction_read_only') = 'off' as off",
        ),
      );
      if (use === 'writes' && !row!.off) throw readOnlyFailure();
    },
    checkClock: clock.check,
    close: async () => {
      clock.stop();
      outsideCalls.close();
      // Wait until no query runs, then close the pool: Kysely never releases a connection that a
      // query gets while the pool is closing, so the pool would never finish closing.
      await work.end();
      await client.destroy();
    },
  };
};

/** Tracks the running work, so that `end` can wait for it. */
const createOpenWork = () => {
  const open = new Set<Promise<unknown>>();
  let hasEnded = false;
  return {
    /** Runs work and tracks it. @throws Failure SERVICE_UNAVAILABLE after `end` was called. */
    run: async <T>(work: () => Promise<T>): Promise<T> => {
      if (hasEnded)
        throw new Failure('SERVICE_UNAVAILABLE', 'This process is ending.', {
          retryAfterSeconds: 1,
        });
      const running = work();
      open.add(running);
      try {
        return await running;
      } finally {
        open.delete(running);
      }
    },
    /** Rejects new work and resolves when all running work has settled. */
    end: async (): Promise<void> => {
      hasEnded = true;
      await Promise.allSettled(open);
    },
  };
};
