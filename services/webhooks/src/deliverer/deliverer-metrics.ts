import type { Database } from '@pto/database';
import { within } from '@pto/lifecycle';
import { Counter, Gauge, Histogram, type Telemetry } from '@pto/telemetry';
import { type Outcome, succeeded } from './outcome.ts';

export interface DelivererMetrics {
  count(outcome: Outcome, durationMs: number): void;
  /** A first attempt begins, so long after its delivery was made. */
  firstAttempt(delayMs: number): void;
  broken(): void;
}

const sampleTimeoutMs = 1000;

/** Attempts by outcome; what is queued, and how old the oldest due delivery is. */
export const delivererMetrics = (
  db: Database,
  telemetry: Telemetry,
  inFlight: () => number,
): DelivererMetrics => {
  const registers = [telemetry.metrics];
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts by outcome: delivered, the class of another status, or what went wrong',
    labelNames: ['outcome'],
    registers,
  });
  // what is our own fault is counted from zero, so that its first increase is seen
  for (const outcome of ['unsigned', 'proxy'] as const) attempts.inc({ outcome }, 0);
  const seconds = new Histogram({
    name: 'webhook_attempt_seconds',
    help: 'How long receivers took',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  });
  const delay = new Histogram({
    name: 'webhook_first_attempt_delay_seconds',
    help: 'From the making of a delivery to its first attempt, those sent again left out',
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
    help: 'Attempts of this process that wait for their answer',
    registers,
    collect() {
      this.set(inFlight());
    },
  });
  const oldest = new Gauge({
    name: 'webhook_oldest_due_seconds',
    help: 'Age of the oldest delivery that is due, to an endpoint that can be delivered to',
    registers,
  });
  new Gauge({
    name: 'webhook_pending_deliveries',
    help: 'Deliveries that have not ended, due or not',
    registers,
    async collect() {
      this.reset(); // no number is better than an old one
      oldest.reset();
      const sample = await within(sampleTimeoutMs, 'sampling', sampleQueue(db)).catch(() => null);
      if (!sample) return;
      this.set(sample.pending);
      oldest.set(sample.oldest);
    },
  });
  return {
    count: (outcome, durationMs) => {
      attempts.inc({ outcome: label(outcome) });
      seconds.observe(durationMs / 1000);
    },
    firstAttempt: (delayMs) => delay.observe(delayMs / 1000),
    broken: () => broken.inc(),
  };
};

const label = (outcome: Outcome): string => {
  if (succeeded(outcome)) return 'delivered';
  return 'error' in outcome ? outcome.error : `${Math.floor(outcome.statusCode / 100)}xx`;
};

const sampleQueue = async (db: Database) => {
  const [row] = await db.query<{ pending: number; oldest: number }>(
    `select count(*)::int as pending, coalesce(extract(epoch from now() - min(p.due_at) filter (
       where p.due_at <= now() and coalesce(p.lease_until <= now(), true)
         and e.status = 'ENABLED' and not e.disabled and e.epoch = p.epoch)), 0)::float8 as oldest
     from pending_deliveries p left join endpoints e on e.id = p.endpoint_id`,
  );
  return row!;
};
