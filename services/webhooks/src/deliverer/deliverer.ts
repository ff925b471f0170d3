import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, createPulse } from '@pto/bus';
import type { Database } from '@pto/database';
import type { Telemetry } from '@pto/telemetry';
import type { Egress } from '../egress/index.ts';
import { endUnverified } from '../endpoints/verification-deadline.ts';
import { createJudge } from '../health/judge.ts';
import type { HealthLimits } from '../health/verdict.ts';
import type { SigningKeys } from '../secrets/signing-keys.ts';
import { claimDue, firstEndpoint } from './claim.ts';
import { delivererMetrics } from './deliverer-metrics.ts';
import { endStale } from './end-stale.ts';
import type { Finished } from './finished.ts';
import { begin } from './flight.ts';
import { createFlights } from './flights.ts';
import { lostPausesMs, reportLost } from './lost-leases.ts';
import { createPace } from './pace.ts';
import { recallGone } from './recall-gone.ts';
import { record } from './record.ts';
import { createRecorder } from './recorder.ts';
import { repeat } from './repeat.ts';

export interface DelivererOptions {
  readonly db: Database;
  readonly egress: Egress;
  readonly signingKeys: SigningKeys;
  readonly telemetry: Telemetry;
  readonly retryWaitsMs: readonly number[];
  readonly attemptTimeoutMs: number;
  readonly health: HealthLimits;
}

/** Turns due deliveries into signed POSTs. Any number of processes may run one each. */
export interface Deliverer {
  /** Something may be due now. */
  wake(): void;
  /** Gives up this process's attempts on an endpoint that was deleted or disabled. */
  recall(endpointId: string): void;
  /** Finishes what is in flight; what takes longer than `graceMs` is left to its lease's end. */
  stop(graceMs?: number): Promise<void>;
}

/**
 * In flight at once, per process: in all, of one organisation, on one endpoint, and on all that
 * keep failing. Of these each holds 2 (claim-sql.ts), so that even twenty leave their organisation
 * places, and all together leave half of them to who is well.
 */
const flightsMax = 1024;
const flightsPerOrganization = 64;
const flightsPerEndpoint = 10;
const flightsFailing = flightsMax / 2;
/** What was answered waits to be recorded; with more than this nothing new is begun. */
const landingMax = 1024;
/** A lease outlives its attempt by the time that recording it may take. */
const leaseMarginMs = 5000;
const [busyMs, idleMs] = [5, 250];
/**
 * A claim costs nearly as much for one as for many: it takes at most so many, and waits for as many
 * places while most are taken. What one has taken is sent while the next one is made.
 */
const claimMax = flightsMax / 2;
const placesWaitMs = 20;
const begunPerTurn = 32;
const recallEveryMs = 200;
const sweepEveryMs = 5000;

export const startDeliverer = (options: DelivererOptions): Deliverer => {
  const { db, telemetry, health } = options;
  const { log } = telemetry;
  const owner = randomUUID();
  const flights = createFlights();
  const pulse = createPulse();
  const pace = createPace(begunPerTurn);
  const metrics = delivererMetrics(db, telemetry, () => flights.size);
  const leaseMs = options.attemptTimeoutMs + leaseMarginMs;
  const abandoned = new AbortController();
  let stopping = false;
  let afterEndpoint = firstEndpoint;

  const judge = createJudge({ db, limits: health, log, broken: metrics.broken });
  const write = async (batch: readonly Finished[]) => judge.judge(await record(db, owner, batch));
  const recorder = createRecorder(write, log);

  const deps = { ...options, metrics, recorder, abandoned: abandoned.signal };

  /** @returns how long to rest, unless woken. */
  const turn = async (restedMs: number): Promise<number> => {
    const free = Math.min(flightsMax - flights.size, landingMax - flights.landing);
    const most = Math.min(free, claimMax);
    if (most <= 0) return idleMs;
    const asked = performance.now();
    const { claimed, nextEndpoint } = await claimDue(db, {
      owner,
      leaseMs,
      most,
      perEndpoint: flightsPerEndpoint,
      perOrganization: flightsPerOrganization,
      failing: flightsFailing,
      flights: flights.counts(),
      lostPausesMs,
      retryWaitsMs: options.retryWaitsMs,
      afterEndpoint,
    });
    afterEndpoint = nextEndpoint ?? firstEndpoint;
    reportLost(claimed, metrics, log);
    const latest = asked + leaseMs - leaseMarginMs / 2;
    for (const one of claimed) flights.add(begin(one, { turn: pace(), latest }, deps), pulse.wake);
    if (claimed.length === claimMax) return 0;
    if (nextEndpoint !== undefined) return flights.size > 0 ? busyMs : 0;
    return claimed.length > 0 ? busyMs : Math.min(idleMs, Math.max(busyMs, restedMs * 2));
  };

  const run = async () => {
    let restMs = busyMs;
    for (let failures = 0; !stopping; ) {
      try {
        restMs = await turn(restMs);
        failures = 0;
      } catch (err) {
        restMs = backoffMs(++failures);
        log.warn({ err }, 'due deliveries could not be looked for');
      }
      await rest(restMs);
    }
  };

  /** Every answer wakes us: while many are in the air, one claim is made of many small ones. */
  const rest = async (restMs: number) => {
    const latest = performance.now() + placesWaitMs;
    const isFull = () => flights.size > flightsMax - claimMax && performance.now() < latest;
    while (!stopping && isFull()) await pulse.wait(latest - performance.now());
    if (restMs === 0) return;
    if (!stopping && flights.size > 0) await sleep(busyMs);
    if (!stopping) await pulse.wait(restMs);
  };

  const sweep = async () => {
    await endUnverified(db);
    await endStale(db, null);
    await judge.judgeSilent();
  };

  const running = run();
  const rounds = [
    repeat(recallEveryMs, () => recallGone(db, flights), log),
    repeat(sweepEveryMs, sweep, log),
  ];
  return {
    wake: pulse.wake,
    recall: (endpointId) => flights.recall((id) => id === endpointId),
    stop: async (graceMs = 7000) => {
      stopping = true;
      pulse.wake();
      await running;
      await Promise.all(rounds.map((round) => round.stop()));
      await Promise.race([flights.landed(), sleep(graceMs, undefined, { ref: false })]);
      abandoned.abort();
      await recorder.stop();
    },
  };
};
