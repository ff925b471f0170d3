import { type Database, fragment, type Given, statement } from '@pto/database';
import { anchoredClock, type DatabaseClock } from '../database-clock.ts';
import { tables } from '../schema/tables.ts';
import type { SealedRow } from '../secrets/signing-keys.ts';
import { claimRows } from './claim-sql.ts';

/** Maximum number of endpoints that one claim reads, to bound its cost. */
const endpointsPerClaim = 256;

/** A leased delivery: until the lease ends, no other process may attempt it. */
export interface Claimed {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly generation: number;
  /**
   * Number of this attempt, from 1, lost ones included. Together with the owner it identifies the
   * lease.
   */
  readonly number: number;
  /** Number of this attempt in the retry schedule, which leaves out the first five lost leases. */
  readonly scheduled: number;
  /** Number of leases of the delivery that ended without a recorded result. */
  readonly lost: number;
  /** Whether the last lease before this one ended without a recorded result. */
  readonly wasLost: boolean;
  /** When the first attempt of the schedule began; milliseconds since the epoch, by `clock`. */
  readonly firstAttemptAt: number;
  /** When the delivery was queued; milliseconds since the epoch, by `clock`. */
  readonly createdAt: number;
  /** Whether this is a replay: an earlier delivery sent the event to the endpoint. */
  readonly again: boolean;
  /** The clock of the database, read in the claim. */
  readonly clock: DatabaseClock;
  readonly url: string;
  readonly urlVersion: number;
  readonly secrets: readonly SealedRow[];
  readonly event: string;
  readonly payload: Buffer;
  /** The event's number in the endpoint's stream; 0 if it has none. */
  readonly sequence: number;
}

export interface ClaimRequest {
  /** Id of this process, stored in its leases. */
  readonly owner: string;
  readonly leaseMs: number;
  /** Maximum number of deliveries to claim. */
  readonly most: number;
  /** Concurrency limits of this process, in-flight attempts included. */
  readonly perEndpoint: number;
  readonly perOrganization: number;
  /** Concurrency limit of all failing endpoints together. */
  readonly failing: number;
  /** Number of in-flight attempts by endpoint id. */
  readonly inFlight: ReadonlyMap<string, number>;
  /** Pauses after a delivery's first lost lease, its second, and so on. */
  readonly lostPausesMs: readonly number[];
  /** Waits of the retry schedule; they are the pauses after further lost leases. */
  readonly retryWaitsMs: readonly number[];
  /** Id of the last endpoint that the previous claim read. */
  readonly afterEndpoint: string;
}

export interface Claim {
  readonly claimed: readonly Claimed[];
  /** The next `afterEndpoint`; undefined if all endpoints have been read. */
  readonly nextEndpoint: string | undefined;
}

export const firstEndpoint = '00000000-0000-0000-0000-000000000000';

/**
 * Leases due deliveries, round-robin between organizations and, within each, between its endpoints:
 * the oldest delivery of every endpoint, then the second of every endpoint, and so on. A delivery
 * waits for an earlier one of the same order and endpoint that was not tried yet (decision 41).
 * A lost lease is recorded as an attempt (docs/decisions/lost-leases.md).
 */
export const claimDue = async (db: Database, request: ClaimRequest): Promise<Claim> => {
  const rows = await claimRows<Looked | Leased>(db, [
    request.afterEndpoint,
    endpointsPerClaim,
    JSON.stringify(Object.fromEntries(request.inFlight)),
    request.perEndpoint,
    request.most,
    request.owner,
    request.leaseMs,
    request.perOrganization,
    request.failing,
    request.lostPausesMs,
    request.retryWaitsMs,
  ]);
  const { looked } = rows.find(isLooked)!;
  const clock = anchoredClock(looked.now);
  const leased = rows.filter((row) => !isLooked(row));
  const endpoints = new Map(looked.held?.map((endpoint) => [endpoint.id, endpoint]));
  const bodies = await bodiesOf(db, leased);
  const claimed = leased.flatMap((row) => {
    const body = bodies.get(row.delivery_id);
    return body ? [toClaimed(row, endpoints.get(row.endpoint_id)!, body, clock)] : [];
  });
  return { claimed, nextEndpoint: looked.count < endpointsPerClaim ? undefined : looked.last! };
};

/**
 * The row of `claimSql` about the endpoints; `held` has those with a delivery that was leased now.
 */
interface Looked {
  readonly looked: {
    /** Time of the database in milliseconds since the epoch. */
    readonly now: number;
    readonly count: number;
    readonly last: string | null;
    readonly held: readonly HeldEndpoint[] | null;
  };
}

interface HeldEndpoint {
  readonly id: string;
  readonly generation: number;
  readonly url: string;
  readonly urlVersion: number;
  readonly secrets: readonly SealedRow[];
}

interface Leased {
  readonly looked: null;
  readonly delivery_id: string;
  readonly endpoint_id: string;
  readonly attempts: number;
  readonly first_attempt_ms: number;
  readonly scheduled: number;
  readonly lost: number;
  readonly was_lost: boolean;
}

const isLooked = (row: Looked | Leased): row is Looked => row.looked !== null;

const selectBodies = statement(
  (given: Given<{ ids: readonly string[]; first: string; last: string }>) =>
    tables
      .selectFrom('deliveries')
      .select(({ eb, ref }) => [
        'id',
        'event',
        'payload',
        'sequence',
        eb('replay_of', 'is not', null).$castTo<boolean>().as('again'),
        fragment<number>`(extract(epoch from ${ref('created_at')}) * 1000)::float8`.as(
          'created_ms',
        ),
      ])
      .where(({ eb, fn }) => eb('id', '=', fn.any(given.ids)))
      .where(({ between }) => between('id', given.first, given.last)),
);

type Body = Awaited<ReturnType<typeof selectBodies>>[number];

/**
 * Reads the events and payloads of leased deliveries, by delivery id. The bounds let PostgreSQL
 * skip daily partitions, also with a prepared plan.
 */
const bodiesOf = async (db: Database, leased: readonly Leased[]): Promise<Map<string, Body>> => {
  if (leased.length === 0) return new Map();
  const ids = leased.map((row) => row.delivery_id).sort();
  const rows = await selectBodies(db, { ids, first: ids[0]!, last: ids.at(-1)! });
  return new Map(rows.map((row) => [row.id, row]));
};

const toClaimed = (
  row: Leased,
  endpoint: HeldEndpoint,
  body: Body,
  clock: DatabaseClock,
): Claimed => ({
  deliveryId: row.delivery_id,
  endpointId: endpoint.id,
  generation: endpoint.generation,
  number: row.attempts,
  scheduled: row.scheduled,
  lost: row.lost,
  wasLost: row.was_lost,
  firstAttemptAt: row.first_attempt_ms,
  createdAt: body.created_ms,
  again: body.again,
  clock,
  url: endpoint.url,
  urlVersion: endpoint.urlVersion,
  secrets: endpoint.secrets,
  event: body.event,
  payload: body.payload,
  sequence: Number(body.sequence),
});
