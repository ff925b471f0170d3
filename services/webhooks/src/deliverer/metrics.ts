import type { Database } from '@pto/database';
import { within } from '@pto/lifecycle';
import { Counter, Gauge, Histogram, sampledGauges, type Telemetry } from '@pto/telemetry';
import { suspectFrom } from './claim.ts';
import { type Outcome, succeeded } from './retry-schedule.ts';
import { sampleQueue } from './sample-queue.ts';

export type DelivererMetrics = ReturnType<typeof delivererMetrics>;

const sampleTimeoutMs = 1000;

/**
 * Registers the metrics of the deliverer and its queue. The queue is counted at each scrape; its
 * gauges are absent if the count fails or takes longer than `sampleTimeoutMs`.
 * @param inFlight returns the number of in-flight attempts of this process.
 */
export const delivererMetrics = (db: Database, telemetry: Telemetry, inFlight: () => number) => {
  const registers = [telemetry.metrics];
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts by outcome: delivered, the class of another status, or the error',
    labelNames: ['outcome'],
    registers,
  });
  // these series begin at 0: an alert's `increase` would miss the first sample of a new series
  for (const outcome of ['unsigned', 'proxy', 'lost'] as const) attempts.inc({ outcome }, 0);
  const seconds = new Histogram({
    name: 'webhook_attempt_seconds',
    help: 'Duration of attempts',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  });
  const delay = new Histogram({
    name: 'webhook_first_attempt_delay_seconds',
    help: 'Delay between the queueing of a delivery and its first attempt, without replays',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800],
    registers,
  });
  const broken = new Counter({
    name: 'webhook_endpoints_broken_total',
    help: 'Endpoints that became BROKEN',
    registers,
  });
  new Gauge({
    name: 'webhook_attempts_in_flight',
    help: 'In-flight attempts of this process',
    registers,
    collect() {
      this.set(inFlight());
    },
  });
  const look = () => within(sampleTimeoutMs, 'sampling', sampleQueue(db)).catch(() => null);
  const sampled = sampledGauges(telemetry.metrics, look);
  sampled('webhook_pending_deliveries', 'Deliveries that have not ended, due or not', 'pending');
  sampled(
    'webhook_oldest_due_seconds',
    'Seconds for which the oldest overdue delivery has been due; healthy endpoints only',
    'oldest',
  );
  sampled(
    'webhook_suspect_deliveries',
    `Queued deliveries that lost their lease ${suspectFrom} times or more: each may end its process`,
    'suspect',
  );
  sampled(
    'webhook_refused_deliveries',
    'Deliveries in the quarantine: the database rejected them; queueing is retried',
    'quarantined',
  );
  return {
    /** Counts an ended attempt. */
    count: (outcome: Outcome, durationMs: number): void => {
      attempts.inc({ outcome: label(outcome) });
      seconds.observe(durationMs / 1000);
    },
    /** Records the delay between the queueing of a delivery and the start of its first attempt. */
    firstAttempt: (delayMs: number): void => delay.observe(delayMs / 1000),
    /** Counts an endpoint that became BROKEN. */
    broken: (): void => broken.inc(),
    /** Counts leases that ended without a recorded result. */
    lost: (count: number): void => attempts.inc({ outcome: 'lost' }, count),
  };
};

const label = (outcome: Outcome): string => {
  if (succeeded(outcome)) return 'delivered';
  return 'error' in outcome ? outcome.error : `${Math.floor(outcome.statusCode / 100)}xx`;
};
