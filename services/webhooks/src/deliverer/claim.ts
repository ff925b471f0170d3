import type { Database } from '@pto/database';
import type { SealedRow } from '../secrets/signing-keys.ts';

/** A delivery that this process alone may attempt until its lease ends. */
export interface Claimed {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly epoch: number;
  /** Of the attempt that is to be made now: 1, 2, 3 … */
  readonly number: number;
  /** When the first one began; milliseconds since the epoch. */
  readonly firstAttemptAt: number;
  readonly url: string;
  readonly urlVersion: number;
  readonly secrets: readonly SealedRow[];
  readonly event: string;
  readonly payload: Buffer;
}

export interface ClaimRequest {
  /** This process, as leases name it. */
  readonly owner: string;
  readonly leaseMs: number;
  /** In all, and per endpoint. */
  readonly most: number;
  readonly perEndpoint: number;
  /** What is in flight now, by endpoint. */
  readonly flights: ReadonlyMap<string, number>;
  /** Where the last look at the endpoints ended. */
  readonly afterEndpoint: string;
}

export interface Claim {
  readonly claimed: readonly Claimed[];
  /** To be handed back as `afterEndpoint`; undefined when all endpoints have been looked at. */
  readonly nextEndpoint: string | undefined;
}

export const firstEndpoint = '00000000-0000-0000-0000-000000000000';

/** Endpoints looked at in one claim: it bounds what a claim costs, whatever is queued. */
const endpointsPerClaim = 256;

/** An endpoint that keeps failing, most likely by time-outs, may not hold many places for long. */
const failingFrom = 10;
const failingFlights = 2;

/**
 * Leases due deliveries, in turns between the endpoints: every endpoint's first, oldest first, then
 * every endpoint's second … A delivery whose order has an earlier one on the same endpoint that was not
 * tried yet stays (decision 41). One that another process had leased and lost is recorded so.
 */
export const claimDue = async (db: Database, request: ClaimRequest): Promise<Claim> => {
  const rows = await db.query<LeasedRow>(claimSql, [
    request.afterEndpoint,
    endpointsPerClaim,
    [...request.flights.keys()],
    [...request.flights.values()],
    request.perEndpoint,
    request.most,
    request.owner,
    request.leaseMs,
  ]);
  const { looked_at, last_endpoint } = rows[0]!;
  const leased = rows.flatMap((row) => (row.delivery_id === null ? [] : [row as Leased]));
  const bodies = await bodiesOf(db, leased);
  const claimed = leased.flatMap((row) => {
    const body = bodies.get(row.delivery_id);
    return body ? [toClaimed(row, body)] : [];
  });
  return { claimed, nextEndpoint: looked_at < endpointsPerClaim ? undefined : last_endpoint! };
};

interface Leased {
  readonly delivery_id: string;
  readonly endpoint_id: string;
  readonly epoch: number;
  readonly attempts: number;
  readonly first_attempt_ms: number;
  readonly url: string;
  readonly url_version: number;
  readonly secrets: readonly SealedRow[];
}

/** One row at least: what was looked at. */
type LeasedRow = (Leased | { readonly delivery_id: null }) & {
  readonly looked_at: number;
  readonly last_endpoint: string | null;
};

interface Body {
  readonly id: string;
  readonly event: string;
  readonly payload: Buffer;
}

/** Asked for by their ids, which name the days' partitions to be read. */
const bodiesOf = async (db: Database, leased: readonly Leased[]): Promise<Map<string, Body>> => {
  if (leased.length === 0) return new Map();
  const rows = await db.query<Body>(
    'select id, event, payload from deliveries where id = any ($1::uuid[])',
    [leased.map((row) => row.delivery_id)],
  );
  return new Map(rows.map((row) => [row.id, row]));
};

const toClaimed = (row: Leased, body: Body): Claimed => ({
  deliveryId: row.delivery_id,
  endpointId: row.endpoint_id,
  epoch: row.epoch,
  number: row.attempts,
  firstAttemptAt: row.first_attempt_ms,
  url: row.url,
  urlVersion: row.url_version,
  secrets: row.secrets,
  event: body.event,
  payload: body.payload,
});

/** Whether nobody is attempting it now, for all that is known. */
const isFree = (p: string): string => `(${p}.lease_until is null or ${p}.lease_until <= now())`;

const claimSql = `with recursive queued (endpoint_id, n) as (
  -- from one endpoint with queued work to the next, by the index, whatever their queues' lengths
  (select p.endpoint_id, 1 from pending_deliveries p where p.endpoint_id > $1::uuid
   order by p.endpoint_id limit 1)
  union all
  select (select p.endpoint_id from pending_deliveries p where p.endpoint_id > q.endpoint_id
    order by p.endpoint_id limit 1), q.n + 1
  from queued q where q.endpoint_id is not null and q.n < $2::int
), due as materialized (
  select d.delivery_id from queued q
  join endpoints e on e.id = q.endpoint_id and e.status = 'ENABLED' and not e.disabled
  left join unnest($3::uuid[], $4::int[]) as f (endpoint_id, count) on f.endpoint_id = e.id
  cross join lateral (
    select p.delivery_id, p.due_at, row_number() over (order by p.due_at, p.position) as turn from (
      select p.delivery_id, p.due_at, p.position from pending_deliveries p
      where p.endpoint_id = e.id and p.due_at <= now() and ${isFree('p')} and p.epoch = e.epoch
        and (p.tried or not exists (
          select from pending_deliveries earlier
          where earlier.endpoint_id = p.endpoint_id and earlier.order_id = p.order_id
            and earlier.position < p.position and not earlier.tried
            and earlier.epoch = p.epoch))
      order by p.due_at, p.position
      limit greatest(least($5::int, case when e.consecutive_failures >= ${failingFrom}
        then ${failingFlights} end) - coalesce(f.count, 0), 0)
    ) p
  ) d
  order by d.turn, d.due_at limit $6::int
), mine as materialized (
  select p.delivery_id, p.lease_until is not null as lost from pending_deliveries p
  where p.delivery_id in (select delivery_id from due) and p.due_at <= now() and ${isFree('p')}
  for update skip locked
), lost as (
  insert into attempts (delivery_id, number, at, error, duration_ms)
  select p.delivery_id, p.attempts, p.leased_at, 'lost',
    (extract(epoch from p.lease_until - p.leased_at) * 1000)::int
  from pending_deliveries p join mine m on m.delivery_id = p.delivery_id and m.lost
  on conflict do nothing
), leased as (
  update pending_deliveries p set attempts = p.attempts + 1, lease_owner = $7::uuid,
    leased_at = now(), lease_until = now() + $8::float8 * interval '1 ms',
    first_attempt_at = coalesce(p.first_attempt_at, now())
  from mine m where p.delivery_id = m.delivery_id
  returning p.delivery_id, p.endpoint_id, p.epoch, p.attempts, p.first_attempt_at
)
select l.delivery_id, l.endpoint_id, l.epoch, l.attempts, e.url, e.url_version,
  (extract(epoch from l.first_attempt_at) * 1000)::float8 as first_attempt_ms,
  (select coalesce(json_agg(json_build_object('sealing_key', s.sealing_key,
      'sealed', translate(encode(s.sealed, 'base64'), E'\\n', '')) order by s.created_at desc), '[]')
    from endpoint_secrets s
    where s.endpoint_id = l.endpoint_id and (s.expires_at is null or s.expires_at > now())) as secrets,
  looked.looked_at, looked.last_endpoint
from (select count(endpoint_id)::int as looked_at, max(endpoint_id::text) as last_endpoint
  from queued) looked
left join (leased l join endpoints e on e.id = l.endpoint_id) on true`;
