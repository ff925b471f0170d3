import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@pto/database';
import type { Telemetry } from '@pto/telemetry';
import { startWorker, type WorkerOptions } from '@pto/worker';
import type { Egress } from '../egress/index.ts';
import { endUnverified } from '../endpoint-rows/verification-deadline.ts';
import { createJudge } from '../health/judge.ts';
import type { HealthLimits } from '../health/verdict.ts';
import { endStale } from '../queue/end-stale.ts';
import type { SigningKeys } from '../secrets/signing-keys.ts';
import { claimDue, firstEndpoint } from './claim.ts';
import { delivererMetrics } from './deliverer-metrics.ts';
import type { Finished } from './finished.ts';
import { createInFlightAttempts } from './in-flight.ts';
import { lostPausesMs, reportLost } from './lost-leases.ts';
import { createPace } from './pace.ts';
import { recallGone } from './recall-gone.ts';
import { record } from './record.ts';
import { createRecorder } from './recorder.ts';
import { repeat } from './repeat.ts';
import { startAttempt } from './run-attempt.ts';

export interface DelivererOptions {
  readonly db: Database;
  readonly egress: Egress;
  readonly signingKeys: SigningKeys;
  readonly telemetry: Telemetry;
  readonly retryWaitsMs: readonly number[];
  readonly attemptTimeoutMs: number;
  readonly health: HealthLimits;
}

/** Sends due deliveries as signed POSTs. Any number of processes may run one deliverer each. */
export interface Deliverer {
  /**
   * Ends the pause of the claim loop early. While most slots are taken, the next claim still waits
   * up to `slotsWaitMs`.
   */
  wake(): void;
  /** Aborts this process's attempts on an endpoint that was deleted or disabled. */
  recall(endpointId: string): void;
  /** Stops the loops and waits up to `graceMs` for in-flight attempts; others are lost leases. */
  stop(graceMs?: number): Promise<void>;
}

/**
 * Concurrency limits of a process: in total, per organization, per endpoint, and for all failing
 * endpoints together. A failing endpoint has 2 slots (claim-sql.ts), so that twenty of them leave
 * slots to their organization; all of them leave half of the slots to healthy endpoints.
 */
const inFlightMax = 1024;
const inFlightPerOrganization = 64;
const inFlightPerEndpoint = 10;
const inFlightFailing = inFlightMax / 2;
/** Maximum number of ended attempts that wait to be recorded; at this number no attempt starts. */
const unrecordedMax = 1024;
/** Time between the end of the longest attempt and the end of its lease, to record the result. */
const leaseMarginMs = 5000;
const [busyMs, idleMs] = [5, 250];
/**
 * Maximum number of deliveries in one claim. A claim costs nearly as much for one delivery as for
 * many: the next claim waits up to `slotsWaitMs` until this many slots are free.
 */
const claimMax = inFlightMax / 2;
const slotsWaitMs = 20;
const begunPerTurn = 32;
const recallEveryMs = 200;
const sweepEveryMs = 5000;
const notClaimed = 'due deliveries could not be claimed; the next tick tries again';
const recallTask = 'abort attempts on deleted, disabled or BROKEN endpoints';
const sweepTask = 'end deliveries of older generations and judge silent endpoints';

export const startDeliverer = (options: DelivererOptions): Deliverer => {
  const { db, telemetry, health } = options;
  const { log } = telemetry;
  const owner = randomUUID();
  const attempts = createInFlightAttempts();
  const pace = createPace(begunPerTurn);
  const metrics = delivererMetrics(db, telemetry, () => attempts.size);
  const leaseMs = options.attemptTimeoutMs + leaseMarginMs;
  const abandoned = new AbortController();
  let restedMs = busyMs;
  let afterEndpoint = firstEndpoint;

  const judge = createJudge({ db, limits: health, log, broken: metrics.broken });
  const write = async (batch: readonly Finished[]) => judge.judge(await record(db, owner, batch));
  const recorder = createRecorder(write, log);

  const deps = { ...options, metrics, log, recorder, abandoned: abandoned.signal };

  /** Claims due deliveries once and starts their attempts. Returns the pause after that, in ms. */
  const tick = async (): Promise<number> => {
    const free = Math.min(inFlightMax - attempts.size, unrecordedMax - attempts.unrecorded);
    const most = Math.min(free, claimMax);
    if (most <= 0) return idleMs;
    const claimedAt = performance.now();
    const { claimed, nextEndpoint } = await claimDue(db, {
      owner,
      leaseMs,
      most,
      perEndpoint: inFlightPerEndpoint,
      perOrganization: inFlightPerOrganization,
      failing: inFlightFailing,
      inFlight: attempts.counts(),
      lostPausesMs,
      retryWaitsMs: options.retryWaitsMs,
      afterEndpoint,
    });
    afterEndpoint = nextEndpoint ?? firstEndpoint;
    reportLost(claimed, metrics, log);
    const latest = claimedAt + leaseMs - leaseMarginMs / 2;
    for (const one of claimed)
      attempts.add(startAttempt(one, { turn: pace(), latest }, deps), worker.wake);
    if (claimed.length === claimMax) return 0;
    if (nextEndpoint !== undefined) return attempts.size > 0 ? busyMs : 0;
    return claimed.length > 0 ? busyMs : Math.min(idleMs, Math.max(busyMs, restedMs * 2));
  };

  /**
   * Pauses between two ticks. Each ended attempt sends a wake signal. While most slots are taken
   * the pause goes on for up to `slotsWaitMs`, so that one claim fills many slots.
   */
  const rest: WorkerOptions['rest'] = async (restMs, wait, signal) => {
    restedMs = restMs;
    const latest = performance.now() + slotsWaitMs;
    const isFull = () => attempts.size > inFlightMax - claimMax && performance.now() < latest;
    while (!signal.aborted && isFull()) await wait(latest - performance.now());
    if (restMs === 0) return;
    if (!signal.aborted && attempts.size > 0) await sleep(busyMs);
    await wait(restMs);
  };

  const sweep = async () => {
    await endUnverified(db);
    await endStale(db, null);
    await judge.judgeSilent();
  };

  const worker = startWorker({
    tick,
    failed: (err) => void log.warn({ err }, notClaimed),
    rest,
  });
  const loops = [
    repeat(recallTask, recallEveryMs, () => recallGone(db, attempts), log),
    repeat(sweepTask, sweepEveryMs, sweep, log),
  ];
  return {
    wake: worker.wake,
    recall: (endpointId) => attempts.recall((id) => id === endpointId),
    stop: async (graceMs = 7000) => {
      await worker.stop();
      await Promise.all(loops.map((loop) => loop.stop()));
      await Promise.race([attempts.recorded(), sleep(graceMs, undefined, { ref: false })]);
      abandoned.abort();
      await recorder.stop();
    },
  };
};
