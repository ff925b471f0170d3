import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@pto/database';
import type { Logger } from '@pto/telemetry';
import { startWorker, type Worker, type WorkerOptions } from '@pto/worker';
import type { AttemptPlan } from './attempt.ts';
import { type Claimed, claimDue, firstEndpoint, reportLost } from './claim.ts';
import type { InFlight, InFlightAttempts } from './in-flight.ts';
import type { DelivererMetrics } from './metrics.ts';

/**
 * Concurrency limits of a process: in total, per organization, per endpoint, and for all failing
 * endpoints together. A failing endpoint has 2 slots (claim-sql.ts), so 20 failing endpoints
 * of one organization occupy 40 of its 64 slots. All failing endpoints together occupy at most half
 * of the process's slots.
 */
const inFlightMax = 1024;
const inFlightPerOrganization = 64;
const inFlightPerEndpoint = 10;
const inFlightFailing = inFlightMax / 2;
/** While this number of ended attempts waits to be recorded, no attempt starts. */
const unrecordedMax = 1024;
/**
 * Milliseconds by which a lease is longer than the timeout of an attempt. An attempt ends at least
 * half of them before its lease, so that its result can be recorded.
 */
const leaseMarginMs = 5000;
/** Pauses in ms: after a claim, at most while due deliveries wait, at most while none is due. */
const [busyMs, waitingMs, idleMostMs] = [5, 250, 1000];
/**
 * Maximum number of deliveries in one claim. A claim of one delivery costs nearly as much as a
 * claim of many, so the next claim waits up to `slotsWaitMs` until this number of slots is free.
 */
const claimMax = inFlightMax / 2;
const slotsWaitMs = 20;
const begunPerTurn = 32;
const notClaimed = 'due deliveries could not be claimed; the next tick tries again';

export interface ClaimLoopOptions {
  readonly db: Database;
  /** Id of this process, stored in its leases. */
  readonly owner: string;
  readonly attemptTimeoutMs: number;
  readonly retryWaitsMs: readonly number[];
  /** Whether endpoints may have rehearsals; true in the sandbox alone. */
  readonly rehearses: boolean;
  readonly attempts: InFlightAttempts;
  readonly metrics: DelivererMetrics;
  readonly log: Logger;
  /** Makes the attempt of a claimed delivery and records its result. */
  readonly run: (claimed: Claimed, plan: AttemptPlan, inFlight: InFlight) => Promise<void>;
}

/** Starts the loop that claims due deliveries and starts their attempts. */
export const startClaimLoop = (options: ClaimLoopOptions): Worker => {
  const { db, owner, retryWaitsMs, rehearses, attempts, metrics, log, run } = options;
  const pace = createPace(begunPerTurn);
  const leaseMs = options.attemptTimeoutMs + leaseMarginMs;
  /** No longer than the shortest wait of the schedule, so that a retry is about in time. */
  const idleMs = Math.max(busyMs, Math.min(idleMostMs, ...retryWaitsMs));
  /** The last pause while due deliveries were left. */
  let restedMs = 0;
  let afterEndpoint = firstEndpoint;
  /** Whether due deliveries wait for a slot or for another attempt, of any endpoint. */
  let leftDue = false;
  const ended = () => {
    if (leftDue) worker.wake();
  };

  /**
   * Claims due deliveries once and starts their attempts. Returns the pause before the next tick,
   * in ms: short if due deliveries were left. Otherwise the next tick is that of a wake signal, or
   * the poll that finds retries and deliveries which another process has queued.
   */
  const tick = async (): Promise<number> => {
    const free = Math.min(inFlightMax - attempts.size, unrecordedMax - attempts.unrecorded);
    const most = Math.min(free, claimMax);
    const leftBefore = afterEndpoint !== firstEndpoint && leftDue;
    leftDue = true; // unknown until a claim has ended
    if (most <= 0) return waitingMs;
    const claimedAt = performance.now();
    const claim = await claimDue(db, {
      owner,
      leaseMs,
      most,
      perEndpoint: inFlightPerEndpoint,
      perOrganization: inFlightPerOrganization,
      failing: inFlightFailing,
      inFlight: attempts.counts(),
      retryWaitsMs,
      rehearses,
      afterEndpoint,
    });
    const { claimed, nextEndpoint } = claim;
    leftDue = leftBefore || claim.leftDue;
    afterEndpoint = nextEndpoint ?? firstEndpoint;
    reportLost(claimed, metrics, log);
    const latest = claimedAt + leaseMs - leaseMarginMs / 2;
    for (const one of claimed) {
      const plan = { turn: pace(), latest };
      attempts.start(one, (inFlight) => run(one, plan, inFlight), ended);
    }
    if (claimed.length === claimMax) return 0;
    if (nextEndpoint !== undefined) return attempts.size > 0 ? busyMs : 0;
    if (!leftDue) return idleMs;
    return claimed.length > 0 ? busyMs : Math.min(waitingMs, Math.max(busyMs, restedMs * 2));
  };

  /**
   * Pauses between two ticks. An attempt that ends while due deliveries are left sends a wake
   * signal, which ends the pause. While fewer than `claimMax` slots are free, the pause continues
   * for up to `slotsWaitMs`, so that one claim fills many slots.
   */
  const rest: WorkerOptions['rest'] = async (restMs, wait, signal) => {
    restedMs = leftDue ? restMs : 0;
    const latest = performance.now() + slotsWaitMs;
    const isFull = () => attempts.size > inFlightMax - claimMax && performance.now() < latest;
    while (!signal.aborted && isFull()) await wait(latest - performance.now());
    if (restMs === 0) return;
    if (!signal.aborted && attempts.size > 0) await sleep(busyMs);
    await wait(restMs);
  };

  const worker = startWorker({
    tick,
    failed: (err) => void log.warn({ err }, notClaimed),
    rest,
  });
  return worker;
};

/**
 * Lets at most `perTurn` tasks start in one iteration of the event loop. Node handles responses
 * between two iterations, so the tasks of the next iteration can reuse a fast receiver's
 * connection.
 * @returns a function whose promise resolves when its caller may start.
 */
export const createPace = (perTurn: number): (() => Promise<void>) => {
  let turn = Promise.resolve();
  let begun = 0;
  return () => {
    if (++begun % perTurn === 0) turn = turn.then(() => setImmediate());
    return turn;
  };
};
