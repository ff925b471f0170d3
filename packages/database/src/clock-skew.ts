import { Gauge, type Telemetry } from '@pto/telemetry';
import { startWorker } from '@pto/worker';

const everyMs = 10_000;
/** A slower round trip measures nothing: its middle is uncertain by half of it. */
const roundTripMaxMs = 2000;
/** Beyond this the process is not ready: receivers reject signatures that are 300 s off. */
const skewMaxMs = 60_000;

/** The database, whose clock is compared. */
interface Clock {
  query<Row>(text: string): Promise<Row[]>;
}

export interface ClockWatch {
  /** @throws Error while this process's clock differs from the database's by more than a minute. */
  check(): Promise<void>;
  stop(): void;
}

/**
 * Compares this process's wall clock with the database's, at once and every 10 s, and shows the
 * difference as `clock_skew_seconds`. A difference that cannot be measured is not shown, and the
 * verdict stays what it was: a database that is unavailable makes no clock wrong.
 * @param options.everyMs for tests.
 */
export const watchClock = (
  sql: Clock,
  telemetry: Telemetry,
  options: { everyMs?: number | undefined } = {},
): ClockWatch => {
  let wrongByMs = 0;
  const gauge = new Gauge({
    name: 'clock_skew_seconds',
    help: "This process's clock minus its database's; half of the round trip is taken off",
    registers: [telemetry.metrics],
  });
  gauge.remove(); // nothing is measured yet

  const judge = (skewMs: number): void => {
    const [was, is] = [wrongByMs !== 0, Math.abs(skewMs) > skewMaxMs];
    wrongByMs = is ? skewMs : 0;
    const skewSeconds = Math.round(skewMs / 1000);
    if (is && !was) telemetry.log.error({ skewSeconds }, 'the clock of this process is wrong');
    if (was && !is) telemetry.log.info({ skewSeconds }, 'the clock of this process is right again');
  };
  const pauseMs = options.everyMs ?? everyMs;
  const worker = startWorker({
    unref: true,
    tick: async () => {
      const skewMs = await skewOf(sql);
      gauge.set(skewMs / 1000);
      judge(skewMs);
      return pauseMs;
    },
    failed: () => {
      gauge.remove();
      return pauseMs;
    },
  });
  return {
    check: async () => {
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
 * @returns milliseconds.
 * @throws Error after a slow round trip.
 */
const skewOf = async (sql: Clock): Promise<number> => {
  const [wall, begun] = [Date.now(), performance.now()];
  const [row] = await sql.query<{ ms: string }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::text as ms',
  );
  const roundTripMs = performance.now() - begun;
  if (roundTripMs > roundTripMaxMs) throw new Error(`the clock was read in ${roundTripMs} ms`);
  return wall + roundTripMs / 2 - Number(row!.ms);
};
