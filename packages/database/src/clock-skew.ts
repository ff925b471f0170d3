import { Gauge, type Telemetry } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import { sql } from 'kysely';
import type { Sql } from './database.ts';
import { execute } from './statements/statement.ts';
import { clockTimestamp, tablesOf } from './statements/tables.ts';

/**
 * Maximum round trip of a measurement. The database's time is compared with this process's time at
 * the middle of the round trip, so half of the round trip is the uncertainty.
 */
const roundTripMaxMs = 2000;
/**
 * Maximum difference of the clocks at which the process is ready. Receivers of webhooks reject a
 * signature whose time differs from theirs by more than 300 s.
 */
const skewMaxMs = 60_000;

const clockMs = tablesOf([]).selectNoFrom(
  sql<string>`(extract(epoch from ${clockTimestamp}) * 1000)::text`.as('ms'),
);

/**
 * Compares this process's wall clock with the database's, immediately and then every 10 s, and
 * exports the difference as `clock_skew_seconds`. A failed measurement drops the gauge and does not
 * change the result of `check`, because an unavailable database does not make the clock wrong.
 * @param everyMs interval; another one for tests.
 */
export const watchClock = (database: Sql, telemetry: Telemetry, everyMs = 10_000) => {
  let wrongByMs = 0;
  const gauge = new Gauge({
    name: 'clock_skew_seconds',
    help: "This process's clock minus its database's; half of the round trip is taken off",
    registers: [telemetry.metrics],
  });
  gauge.remove(); // no series before the first measurement

  const worker = startWorker({
    unref: true,
    tick: async () => {
      const skewMs = await skewOf(database);
      gauge.set(skewMs / 1000);
      const [was, is] = [wrongByMs !== 0, Math.abs(skewMs) > skewMaxMs];
      wrongByMs = is ? skewMs : 0;
      const skewSeconds = Math.round(skewMs / 1000);
      if (is && !was) telemetry.log.error({ skewSeconds }, 'the clock of this process is wrong');
      if (was && !is)
        telemetry.log.info({ skewSeconds }, 'the clock of this process is right again');
      return everyMs;
    },
    failed: () => {
      gauge.remove();
      return everyMs;
    },
  });
  return {
    /**
     * Waits until the first measurement has ended, with or without success.
     * @throws Error if, in the last successful measurement, this process's clock differed from the
     *   database's by more than a minute.
     */
    check: async (): Promise<void> => {
      await worker.first;
      if (wrongByMs !== 0)
        throw new Error(
          `this process's clock is ${Math.abs(Math.round(wrongByMs / 1000))} s ${
            wrongByMs > 0 ? 'ahead of' : 'behind'
          } the database's`,
        );
    },
    stop: () => void worker.stop(),
  };
};

/**
 * @returns this process's clock minus the database's, in ms.
 * @throws Error after a slow round trip.
 */
const skewOf = async (database: Sql): Promise<number> => {
  const [wall, begun] = [Date.now(), performance.now()];
  const [row] = await execute(database, clockMs);
  const roundTripMs = performance.now() - begun;
  if (roundTripMs > roundTripMaxMs)
    throw new Error(`reading the database clock took ${roundTripMs} ms`);
  return wall + roundTripMs / 2 - Number(row!.ms);
};
