import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@pto/database';
import type { Logger, Telemetry } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import type { Egress } from '../egress/egress.ts';
import { createEndpointBreaker } from '../health/break-endpoint.ts';
import type { HealthLimits } from '../health/health.ts';
import { endStale, endUnverified } from '../queue/end-stale.ts';
import type { SigningKeys } from '../secrets/sign.ts';
import { runAttempt } from './attempt.ts';
import { startClaimLoop } from './claim-loop.ts';
import { createInFlightAttempts, recallGone } from './in-flight.ts';
import { delivererMetrics } from './metrics.ts';
import { createRecorder, type Finished, record } from './record.ts';

export interface DelivererOptions {
  readonly db: Database;
  readonly egress: Egress;
  readonly signingKeys: SigningKeys;
  readonly telemetry: Telemetry;
  readonly retryWaitsMs: readonly number[];
  readonly attemptTimeoutMs: number;
  readonly health: HealthLimits;
  /** Whether endpoints may have rehearsals; true in the sandbox alone. */
  readonly rehearses: boolean;
}

/** Sends due deliveries as signed POSTs. Any number of processes may run one deliverer each. */
export interface Deliverer {
  /**
   * Ends the pause of the claim loop early. While most slots are taken, the next claim still waits
   * up to `slotsWaitMs` (claim-loop.ts).
   */
  wake(): void;
  /**
   * Stops the loops and waits up to `graceMs` milliseconds for in-flight attempts. The result of an
   * attempt that ends later is not recorded: its lease is lost.
   */
  stop(graceMs?: number): Promise<void>;
}

const recallEveryMs = 200;
const sweepEveryMs = 5000;
const recallTask = 'abort attempts on deleted, disabled or BROKEN endpoints';
const sweepTask = 'end deliveries of older generations and judge all endpoints';

export const startDeliverer = (options: DelivererOptions): Deliverer => {
  const { db, telemetry, health } = options;
  const { log } = telemetry;
  const owner = randomUUID();
  const attempts = createInFlightAttempts();
  const metrics = delivererMetrics(db, telemetry, () => attempts.size);
  const abandoned = new AbortController();

  const breaker = createEndpointBreaker({ db, limits: health, log, broken: metrics.broken });
  const write = async (batch: readonly Finished[]) => breaker.judge(await record(db, owner, batch));
  const addResult = createRecorder(write, log, abandoned.signal);

  const deps = { ...options, metrics, log, addResult, abandoned: abandoned.signal };

  const sweep = async () => {
    await endUnverified(db);
    await endStale(db, null);
    await breaker.breakDue();
  };

  const worker = startClaimLoop({
    ...options,
    owner,
    attempts,
    metrics,
    log,
    run: (claimed, plan, inFlight) => runAttempt(claimed, plan, inFlight, deps),
  });
  const loops = [
    repeat(recallTask, recallEveryMs, () => recallGone(db, attempts), log),
    repeat(sweepTask, sweepEveryMs, sweep, log),
  ];
  return {
    wake: worker.wake,
    stop: async (graceMs = 7000) => {
      await worker.stop();
      await Promise.all(loops.map((loop) => loop.stop()));
      await Promise.race([attempts.recorded(), sleep(graceMs, undefined, { ref: false })]);
      abandoned.abort();
      attempts.recall(() => true);
      await attempts.recorded();
    },
  };
};

/**
 * Runs `work` in a loop, with a pause of `everyMs` before each run. A failed run is logged and does
 * not end the loop.
 * @param task names the work in the log.
 */
export const repeat = (
  task: string,
  everyMs: number,
  work: () => Promise<void>,
  log: Logger,
): { stop(): Promise<void> } =>
  startWorker({
    firstPauseMs: everyMs,
    tick: async () => {
      await work();
      return everyMs;
    },
    failed: (err) => {
      log.warn({ err, task }, 'a periodic task failed; the next tick runs it again');
      return everyMs;
    },
  });
