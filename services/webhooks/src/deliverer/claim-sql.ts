import type { Sql } from '@pto/database';
import { databaseNowMs } from '../database-clock.ts';
import type { StoredRehearsal } from '../rehearsal/rehearsal.ts';
import type { SealedRow } from '../secrets/sign.ts';

/** The in-flight attempts of a process to one endpoint. */
export interface EndpointSlots {
  readonly organizationId: string;
  /** Number of attempts; each occupies a concurrency slot. */
  readonly slots: number;
}

/** The endpoint of leased deliveries. */
export interface HeldEndpoint {
  readonly organizationId: string;
  readonly endpointId: string;
  readonly generation: number;
  readonly url: string;
  readonly urlVersion: number;
  readonly secrets: readonly SealedRow[];
  /** The endpoint's last rehearsal, which may have ended; only in the sandbox. */
  readonly rehearsal?: StoredRehearsal | null;
}

/** Until a lease ends, no other process may attempt its delivery. */
export interface Lease {
  readonly deliveryId: string;
  readonly endpointId: string;
  /**
   * Number of this attempt, from 1; attempts of lost leases are counted. The number and the owner
   * together identify the lease.
   */
  readonly number: number;
  /** Number of this attempt in the retry schedule; the first five lost leases are not counted. */
  readonly scheduled: number;
  /** Number of leases of the delivery that ended without a recorded result. */
  readonly lost: number;
  /** Whether the last lease before this one ended without a recorded result. */
  readonly wasLost: boolean;
  /**
   * When the first attempt of the schedule was leased; milliseconds since the epoch, database time.
   */
  readonly firstAttemptAt: number;
  /** Whether this attempt repeats a delivery that succeeded; only in the sandbox. */
  readonly duplicated?: boolean | null;
}

/**
 * From `failingFrom` consecutive failures on, an endpoint has only `failingInFlight` concurrency
 * slots: its attempts often time out and occupy their slots for long.
 */
export const failingFrom = 10;
const failingInFlight = 2;
/** SQL condition: the endpoint `e` is failing. */
const isFailing = `e.consecutive_failures >= ${failingFrom}`;

/**
 * SQL condition: no process leases the queued row `p`. Either the row has no lease, or its lease
 * was lost and the pause after the lost lease is over.
 */
const isFree = (p: string): string =>
  `(${p}.lease_until is null
    or ${p}.lease_until <= now() and ${p}.due_if_lost_at <= now())`;

/**
 * SQL: number of lost leases of a delivery that do not count as attempts of the schedule. It is the
 * number of pauses in `$10`.
 */
const lostMost = 'cardinality($10::float8[])';

/**
 * SQL: the number of a row's last attempt in the retry schedule. The row had `attempts` leases, of
 * which `losses` were lost.
 */
const scheduled = (attempts: string, losses: string): string =>
  `${attempts} - least(${losses}, ${lostMost})`;

/**
 * SQL: the pause in milliseconds that follows the lease which this statement creates, in case that
 * this lease is lost.
 */
const pauseIfLost = `coalesce(case when m.losses < ${lostMost}
  then ($10::float8[])[m.losses + 1]
  else ($11::float8[])[${scheduled('p.attempts + 1', 'm.losses')}] end, 0)`;

/** SQL: the last rehearsal of the endpoint `e` as JSON; null if there was none. */
const rehearsal = `case when e.rehearsal_ends_at is not null then
      json_build_object('speed', e.rehearsal_speed, 'faults', e.rehearsal_faults,
        'endsAt', (extract(epoch from e.rehearsal_ends_at) * 1000)::float8) end as rehearsal`;

/** SQL: the order of all window functions, so that a row has the same position in each window. */
const inTurns = 'order by turn, due_at, delivery_id rows unbounded preceding';

/**
 * SQL that leases due deliveries; see claim.ts. Its steps:
 *
 * - queued: the endpoints with queued deliveries, and the first entry of each queue. This takes one
 *   index look-up per endpoint, however long the queues are. The next step begins at that entry:
 *   index entries before it belong to deliveries that have just left the queue
 * - next: the next deliveries of each endpoint, at most as many as the endpoint has free slots
 * - in_flight: the attempts that occupy slots already; they are counted before the deliveries of
 *   `next`
 * - due: the selected deliveries, round-robin between organizations, and within each organization
 *   between its endpoints. The endpoint with the fewest in-flight attempts is first, so that no
 *   backlog delays other endpoints. All failing endpoints of all organizations share `$9` slots
 * - held: the endpoints of the selected deliveries, locked for key share. A transaction that
 *   deletes, disables or pauses an endpoint locks it for update. If this statement locks the
 *   endpoint first, that transaction waits and then sees the leases. Otherwise this statement sees
 *   the change and claims no delivery of the endpoint
 * - mine: the rows to lease, without those that another process is claiming. Rows are read by ctid:
 *   if another process updates a row meanwhile, its ctid changes and this statement skips it
 * - lost: inserts a `lost` attempt for each row of `mine` whose previous lease ended without a
 *   result
 * - others: an endpoint of `queued` with a due delivery that this statement does not lease: the slots
 *   are occupied, an earlier delivery of its order is not tried yet, or another process is claiming
 * - leased: updates the rows of `mine`. The first `lostMost` lost leases of a delivery do not count
 *   as attempts of the schedule. Further lost leases count, so that a delivery whose attempt ends
 *   its process is not tried forever
 *
 * The statement is text because of its plan: the recursive step walks the index of the queue, each
 * look-up is by key (`offset 0`), and rows are locked and found again by ctid, a column that no
 * entity declares. `organizations-share-concurrency-slots.test.ts` checks the plan.
 *
 * $1 id of the last endpoint of the previous claim, $2 maximum number of endpoints, $3 in-flight
 * attempts as {endpoint: {organizationId, slots}}, $4 slots per endpoint, $5 maximum number of deliveries, $6 the
 * owner, $7 the duration of the lease in ms, $8 slots per organization, $9 slots for all failing
 * endpoints together, $10 pauses after lost leases in ms, $11 the waits of the retry schedule in
 * ms.
 *
 * @param rehearses whether the statement reads rehearsals; production's does not name them.
 */
const claimSqlOf = (
  rehearses: boolean,
): string => `with recursive queued (organization_id, endpoint_id, due_at, position, n) as (
  (select p.organization_id, p.endpoint_id, p.due_at, p.position, 1 from pending_deliveries p
   where p.endpoint_id > $1::uuid order by p.endpoint_id, p.due_at, p.position limit 1)
  union all
  select p.*, q.n + 1 from queued q cross join lateral (
    select p.organization_id, p.endpoint_id, p.due_at, p.position from pending_deliveries p
    where p.endpoint_id > q.endpoint_id order by p.endpoint_id, p.due_at, p.position limit 1
  ) p where q.n < $2::int
), next as (
  select d.delivery_id, d.row, d.due_at, e.id as endpoint_id, e.organization_id, e.failing,
    e.in_flight + d.nth as turn
  from queued q
  cross join lateral (
    select e.id, e.organization_id, e.generation, ${isFailing} as failing,
      coalesce(($3::jsonb -> e.id::text ->> 'slots')::int, 0) as in_flight
    from endpoints e where e.organization_id = q.organization_id and e.id = q.endpoint_id
      and e.status = 'ENABLED' and not e.disabled and not e.paused
    offset 0 -- a look-up by key for each; a join would combine all endpoints with all queues
  ) e
  cross join lateral (
    select p.delivery_id, p.row, p.due_at, row_number() over (order by p.due_at, p.position) as nth
    from (
      select p.delivery_id, p.ctid as row, p.due_at, p.position from pending_deliveries p
      where p.organization_id = e.organization_id and p.endpoint_id = e.id
        and (p.due_at, p.position) >= (q.due_at, q.position)
        and p.due_at <= now() and ${isFree('p')} and p.generation = e.generation
        and (p.tried or not exists (
          select from pending_deliveries earlier
          where earlier.organization_id = p.organization_id
            and earlier.endpoint_id = p.endpoint_id and earlier.order_id = p.order_id
            and earlier.position < p.position and not earlier.tried
            and earlier.generation = p.generation))
      order by p.due_at, p.position
      limit greatest(least($4::int, case when e.failing then ${failingInFlight} end) - e.in_flight, 0)
    ) p
  ) d
), in_flight as (
  select e.organization_id, ${isFailing} as failing, (f.attempts ->> 'slots')::int as slots
  from jsonb_each($3::jsonb) as f (endpoint_id, attempts)
  join endpoints e on e.organization_id = (f.attempts ->> 'organizationId')::uuid
    and e.id = f.endpoint_id::uuid
), due as materialized (
  select row, organization_id, endpoint_id from (
    select *, sum(slots) over (partition by organization_id ${inTurns}) as organization_turn,
      sum(slots) over (partition by failing ${inTurns}) as failing_turn
    from (
      select *, 1 as slots from next
      union all
      select null, null, null, null, organization_id, failing, 0, slots from in_flight
    ) n
  ) n
  where row is not null and organization_turn <= $8::int
    and (not failing or failing_turn <= $9::int)
  order by organization_turn, due_at, delivery_id limit $5::int
), held as materialized (
  select d.organization_id, d.endpoint_id, d.rows, e.generation, e.url, e.url_version,${rehearses ? ' e.rehearsal,' : ''}
    (select coalesce(json_agg(json_build_object('sealing_key', s.sealing_key,
        'sealed', translate(encode(s.sealed, 'base64'), E'\\n', '')) order by s.created_at desc),
        '[]')
      from endpoint_secrets s
      where s.organization_id = d.organization_id and s.endpoint_id = d.endpoint_id
        and (s.expires_at is null or s.expires_at > now())) as secrets
  from (select organization_id, endpoint_id, array_agg(row) as rows from due
    group by organization_id, endpoint_id order by endpoint_id) d
  cross join lateral (
    select e.generation, e.url, e.url_version${rehearses ? `, ${rehearsal}` : ''} from endpoints e
    where e.organization_id = d.organization_id and e.id = d.endpoint_id
      and e.status = 'ENABLED' and not e.disabled and not e.paused
    for key share
  ) e
), mine as materialized (
  select p.ctid as row, p.lease_until is not null as lost,
    p.lost + (p.lease_until is not null)::int as losses
  from held h cross join lateral unnest(h.rows) as due (row)
  join pending_deliveries p on p.ctid = due.row and p.generation = h.generation
  where p.organization_id = h.organization_id and p.due_at <= now() and ${isFree('p')}
  for update of p skip locked
), lost as (
  insert into attempts (organization_id, delivery_id, number, at, error, duration_ms)
  select p.organization_id, p.delivery_id, p.attempts, p.leased_at, 'lost',
    (extract(epoch from p.lease_until - p.leased_at) * 1000)::int
  from pending_deliveries p join mine m on m.row = p.ctid and m.lost
  on conflict do nothing
), others as (
  select from queued q
  cross join lateral (
    select e.organization_id, e.id, e.generation from endpoints e
    where e.organization_id = q.organization_id and e.id = q.endpoint_id
      and e.status = 'ENABLED' and not e.disabled and not e.paused
    offset 0
  ) e
  cross join lateral (
    select from pending_deliveries p
    where p.organization_id = e.organization_id and p.endpoint_id = e.id
      and (p.due_at, p.position) >= (q.due_at, q.position)
      and p.due_at <= now() and ${isFree('p')} and p.generation = e.generation
      and p.ctid <> all (array(select row from mine))
    order by p.due_at, p.position limit 1
  ) p
), leased as (
  update pending_deliveries p set attempts = p.attempts + 1, lease_owner = $6::uuid,
    leased_at = now(), lease_until = now() + $7::float8 * interval '1 ms',
    lost = m.losses, due_if_lost_at = now() + ($7::float8 + ${pauseIfLost}) * interval '1 ms',
    -- an attempt that counts has ended without a result
    tried = p.tried or m.losses > ${lostMost},
    first_attempt_at = case when ${scheduled('p.attempts + 1', 'm.losses')} > 1
      then p.first_attempt_at else now() end
  from mine m where p.ctid = m.row
  returning p.delivery_id, p.endpoint_id, p.attempts, p.first_attempt_at, p.lost,
    ${scheduled('p.attempts', 'p.lost')} as scheduled, m.lost as was_lost${rehearses ? ', p.duplicated' : ''}
)
select json_build_object('now', ${databaseNowMs}, 'count', count(endpoint_id),
  'last', max(endpoint_id::text), 'left', exists (select from others),
  'held', coalesce((
    select json_agg(json_build_object('organizationId', organization_id, 'endpointId', endpoint_id,
      'generation', generation,
      'url', url, 'urlVersion', url_version${rehearses ? ", 'rehearsal', rehearsal" : ''}, 'secrets', secrets)) from held), '[]'),
  'leased', coalesce((
    select json_agg(json_build_object('deliveryId', delivery_id, 'endpointId', endpoint_id,
      'number', attempts, 'scheduled', scheduled, 'lost', lost, 'wasLost', was_lost,${rehearses ? " 'duplicated', duplicated," : ''}
      'firstAttemptAt', (extract(epoch from first_attempt_at) * 1000)::float8)) from leased), '[]')
  ) as found
from queued`;

export const claimSql = claimSqlOf(false);
export const rehearsedClaimSql = claimSqlOf(true);

/** The result of `claimSql`. */
interface Found {
  /** Time of the database in milliseconds since the epoch. */
  readonly now: number;
  /** Number of endpoints that were read, and the id of the last one; null if none was read. */
  readonly count: number;
  readonly last: string | null;
  /** Whether one of these endpoints has a due delivery that no process leases. */
  readonly left: boolean;
  readonly held: readonly HeldEndpoint[];
  readonly leased: readonly Lease[];
}

/** Leases due deliveries. @param rehearses whether endpoints may have rehearsals. */
export const claimRows = async (
  sql: Sql,
  parameters: readonly unknown[],
  rehearses: boolean,
): Promise<Found> => {
  const text = rehearses ? rehearsedClaimSql : claimSql;
  const [row] = await sql.query<{ found: Found }>(text, parameters);
  return row!.found;
};
