import type { Database } from '@pto/database';
import { within } from '@pto/lifecycle';
import { Counter, Gauge, Histogram, sampledGauges, type Telemetry } from '@pto/telemetry';
import { type Outcome, succeeded } from '../posting/outcome.ts';
import { isFailing } from './claim-sql.ts';
import { suspectFrom } from './lost-leases.ts';

export interface DelivererMetrics {
  /** Counts an ended attempt. */
  count(outcome: Outcome, durationMs: number): void;
  /** Records the delay between the queueing of a delivery and the start of its first attempt. */
  firstAttempt(delayMs: number): void;
  /** Counts an endpoint that became BROKEN. */
  broken(): void;
  /** Counts leases that ended without a recorded result. */
  lost(count: number): void;
}

const sampleTimeoutMs = 1000;

/**
 * Registers the deliverer's metrics: attempts by outcome, their duration, in-flight attempts, and
 * the size of the queue with the age of its oldest overdue delivery.
 * @param inFlight returns the number of in-flight attempts of this process.
 */
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
  // outcomes with a cause on our side begin at 0: an alert sees only increases of a series
  for (const outcome of ['unsigned', 'proxy', 'lost'] as const) attempts.inc({ outcome }, 0);
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
  const look = () => within(sampleTimeoutMs, 'sampling', sampleQueue(db)).catch(() => null);
  const sampled = sampledGauges(telemetry.metrics, look);
  sampled('webhook_pending_deliveries', 'Deliveries that have not ended, due or not', 'pending');
  sampled(
    'webhook_oldest_due_seconds',
    'How long the oldest delivery is due to an endpoint that is well and that nobody tries',
    'oldest',
  );
  sampled(
    'webhook_suspect_deliveries',
    `Queued deliveries that lost their lease ${suspectFrom} times or more: each may end its process`,
    'suspect',
  );
  return {
    count: (outcome, durationMs) => {
      attempts.inc({ outcome: label(outcome) });
      seconds.observe(durationMs / 1000);
    },
    firstAttempt: (delayMs) => delay.observe(delayMs / 1000),
    broken: () => broken.inc(),
    lost: (count) => attempts.inc({ outcome: 'lost' }, count),
  };
};

const label = (outcome: Outcome): string => {
  if (succeeded(outcome)) return 'delivered';
  return 'error' in outcome ? outcome.error : `${Math.floor(outcome.statusCode / 100)}xx`;
};

interface Queue {
  readonly pending: number;
  readonly oldest: number;
  readonly suspect: number;
}

/**
 * Counts the queue, in one statement. `oldest` is the time in seconds for which the oldest overdue
 * delivery has been due. A due delivery is not overdue if its endpoint is failing, has an in-flight
 * attempt, or had one that ended within the last minute: such a delivery waits for a concurrency
 * slot or for an earlier event of its order. After a lost lease a delivery is due when the pause is
 * over.
 */
const sampleQueue = async (db: Database): Promise<Queue> => {
  const [row] = await db.query<Queue>(
    `select coalesce(sum(q.queued), 0)::int as pending,
       coalesce(sum(q.suspect), 0)::int as suspect,
       coalesce(extract(epoch from now() - min(q.due_at) filter (
         where not q.flying and e.status = 'ENABLED' and not e.disabled and not ${isFailing}
           and coalesce(greatest(e.last_success_at, e.last_failure_at)
             < now() - interval '1 minute', true))), 0)::float8 as oldest
     from (
       select endpoint_id, epoch, count(*) as queued,
         min(due_at) filter (where due_at <= now()) as due_at,
         coalesce(bool_or(lease_until > now()), false) as flying,
         count(*) filter (where lost >= ${suspectFrom}) as suspect
       from (
         select endpoint_id, epoch, lease_until, lost, greatest(due_at, due_if_lost_at) as due_at
         from pending_deliveries
       ) p group by endpoint_id, epoch
     ) q left join endpoints e on e.id = q.endpoint_id and e.epoch = q.epoch`,
  );
  return row!;
};
