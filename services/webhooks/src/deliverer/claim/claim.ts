import type { Database } from '@pto/database';
import { anchoredClock, type DatabaseClock } from '../../database-clock.ts';
import { type HeldEndpoint, isLooked, type Leased, type Looked } from './claim-row.ts';
import { claimRows } from './claim-sql.ts';
import type { Claimed } from './claimed.ts';
import { type Body, bodiesOf } from './delivery-bodies.ts';

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
  /** Number of in-flight attempts by endpoint id. */
  readonly inFlight: ReadonlyMap<string, number>;
  /** Pauses after a delivery's first lost lease, its second, and so on. */
  readonly lostPausesMs: readonly number[];
  /**
   * Waits of the retry schedule. They are also the pauses after lost leases that follow those of
   * `lostPausesMs`.
   */
  readonly retryWaitsMs: readonly number[];
  /** Id of the last endpoint that the previous claim read. */
  readonly afterEndpoint: string;
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
  const nextEndpoint = looked.count < endpointsPerClaim ? undefined : looked.last!;
  return { claimed, leftDue: looked.left, nextEndpoint };
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
