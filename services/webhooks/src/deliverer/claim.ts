import { type Database, fragment, type Placeholders, statement } from '@pto/database';
import type { Logger } from '@pto/telemetry';
import { anchoredClock, type DatabaseClock } from '../database-clock.ts';
import { tables } from '../schema/entities.ts';
import { claimRows, type EndpointSlots, type HeldEndpoint, type Lease } from './claim-sql.ts';

/** A leased delivery. */
export interface Claimed extends Lease, HeldEndpoint {
  /** When the delivery was queued; milliseconds since the epoch, database time. */
  readonly createdAt: number;
  /**
   * Whether an earlier delivery has the same event and endpoint: this is a replay or a recovery.
   */
  readonly again: boolean;
  readonly event: string;
  readonly payload: Buffer;
  /** The event's number in the endpoint's stream. */
  readonly sequence: number;
  /** A clock that continues from the database's time in the claim. */
  readonly clock: DatabaseClock;
}

/** Maximum number of endpoints that one claim reads, to bound its cost. */
const endpointsPerClaim = 256;

export interface ClaimRequest {
  /** Id of this process, stored in its leases. */
  readonly owner: string;
  readonly leaseMs: number;
  /** Maximum number of deliveries to claim. */
  readonly most: number;
  /** Maximum number of attempts of this process to one endpoint, those of `inFlight` included. */
  readonly perEndpoint: number;
  /**
   * Maximum number of attempts of this process to all endpoints of one organization, those of
   * `inFlight` included.
   */
  readonly perOrganization: number;
  /**
   * Maximum number of attempts of this process to all failing endpoints together, those of
   * `inFlight` included.
   */
  readonly failing: number;
  /** In-flight attempts by endpoint id. */
  readonly inFlight: ReadonlyMap<string, EndpointSlots>;
  /**
   * Waits of the retry schedule. They are also the pauses after lost leases that follow those of
   * `lostPausesMs`.
   */
  readonly retryWaitsMs: readonly number[];
  /** Id of the last endpoint that the previous claim read. */
  readonly afterEndpoint: string;
  /** Whether endpoints may have rehearsals; true in the sandbox alone. */
  readonly rehearses: boolean;
}

export interface Claim {
  readonly claimed: readonly Claimed[];
  /** Whether an endpoint that was read has a due delivery that this claim did not lease. */
  readonly leftDue: boolean;
  /** The next `afterEndpoint`; undefined if all endpoints have been read. */
  readonly nextEndpoint: string | undefined;
}

export const firstEndpoint = '00000000-0000-0000-0000-000000000000';

/**
 * Leases due deliveries, round-robin between organizations and, within an organization, between its
 * endpoints: the oldest delivery of every endpoint, then the second of every endpoint, and so on. A
 * delivery waits for an earlier delivery of the same order and endpoint that was not tried yet
 * (decision 41). If the previous lease of a delivery was lost, the claim records a `lost` attempt
 * (docs/decisions/lost-leases.md).
 */
export const claimDue = async (db: Database, request: ClaimRequest): Promise<Claim> => {
  const parameters = [
    request.afterEndpoint,
    endpointsPerClaim,
    JSON.stringify(Object.fromEntries(request.inFlight)),
    request.perEndpoint,
    request.most,
    request.owner,
    request.leaseMs,
    request.perOrganization,
    request.failing,
    lostPausesMs,
    request.retryWaitsMs,
  ];
  const found = await claimRows(db, parameters, request.rehearses);
  const { now, count, last, left, held, leased } = found;
  const clock = anchoredClock(now);
  const endpoints = new Map(held.map((endpoint) => [endpoint.endpointId, endpoint]));
  const organizationIds = [...new Set(held.map(({ organizationId }) => organizationId))];
  const bodies = await bodiesOf(db, organizationIds, leased);
  const claimed = leased.flatMap((lease): Claimed[] => {
    const body = bodies.get(lease.deliveryId);
    if (!body) return [];
    const { id: _, sequence, ...rest } = body;
    const endpoint = endpoints.get(lease.endpointId)!;
    // an attempt that repeats a success is none of the schedule
    const scheduled = lease.scheduled - (lease.duplicated ? 1 : 0);
    return [{ ...lease, ...endpoint, ...rest, scheduled, sequence: Number(sequence), clock }];
  });
  const nextEndpoint = count < endpointsPerClaim ? undefined : last!;
  return { claimed, leftDue: left, nextEndpoint };
};

const selectBodies = statement(
  (
    given: Placeholders<{
      organizationIds: readonly string[];
      ids: readonly string[];
      first: string;
      last: string;
    }>,
  ) =>
    tables
      .selectFrom('deliveries')
      .select(({ eb, ref }) => [
        'id',
        'event',
        'payload',
        'sequence',
        eb('replay_of', 'is not', null).$castTo<boolean>().as('again'),
        fragment<number>`(extract(epoch from ${ref('created_at')}) * 1000)::float8`.as('createdAt'),
      ])
      .where(({ eb, fn }) => eb('organization_id', '=', fn.any(given.organizationIds)))
      .where(({ eb, fn }) => eb('id', '=', fn.any(given.ids)))
      .where(({ between }) => between('id', given.first, given.last)),
);

type Body = Awaited<ReturnType<typeof selectBodies>>[number];

/**
 * Reads the events and payloads of leased deliveries, by delivery id. The conditions on the least
 * and the greatest id let PostgreSQL skip daily partitions, also with a prepared plan.
 */
const bodiesOf = async (
  db: Database,
  organizationIds: readonly string[],
  leased: readonly Lease[],
): Promise<Map<string, Body>> => {
  if (leased.length === 0) return new Map();
  const ids = leased.map((row) => row.deliveryId).sort();
  const rows = await selectBodies(db, {
    organizationIds,
    ids,
    first: ids[0]!,
    last: ids.at(-1)!,
  });
  return new Map(rows.map((row) => [row.id, row]));
};

/**
 * The pauses after lost leases: leases that ended without a recorded result, because their process
 * died or could not record (docs/decisions/lost-leases.md). Milliseconds, from the end of the
 * lease.
 *
 * | Lost lease | Pause | Attempt of the schedule |
 * |---|---|---|
 * | 1 | none | not counted |
 * | 2 | 30 s | not counted |
 * | 3 | 2 min | not counted |
 * | 4 | 10 min | not counted |
 * | 5 | 30 min | not counted |
 * | 6 and later | the schedule's wait | counted |
 */
export const lostPausesMs: readonly number[] = [0, 30_000, 120_000, 600_000, 1_800_000];

/**
 * Number of lost leases from which a delivery is suspect: its attempts may end the process. Suspect
 * deliveries are logged and counted in a metric.
 */
export const suspectFrom = 3;

const suspected = `deliveries lost their lease ${suspectFrom} times or more: check for processes that crash`;

/** Counts the claimed deliveries whose previous lease was lost, and logs the suspect ones. */
export const reportLost = (
  claimed: readonly Lease[],
  metrics: { lost(count: number): void },
  log: Logger,
): void => {
  const lost = claimed.filter(({ wasLost }) => wasLost);
  if (lost.length > 0) metrics.lost(lost.length);
  const suspects = lost.filter((one) => one.lost >= suspectFrom);
  if (suspects.length === 0) return;
  const deliveries = suspects.map(({ deliveryId, endpointId, lost }) => {
    return { deliveryId, endpointId, lost };
  });
  log.warn({ deliveries }, suspected);
};
