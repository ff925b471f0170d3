import { databaseNowMs } from '../database-clock.ts';

/** An endpoint that keeps failing, most likely by time-outs, may not hold many places for long. */
const failingFrom = 10;
const failingFlights = 2;
/** Of an endpoint `e`. */
export const isFailing = `e.consecutive_failures >= ${failingFrom}`;

/**
 * Whether no process holds a lease on a queued row: it has none, or its lease was lost and the pause
 * after that is over. A replica of the release before sets no pause.
 */
const isFree = (p: string): string =>
  `(${p}.lease_until is null
    or ${p}.lease_until <= now() and coalesce(${p}.due_if_lost_at <= now(), true))`;

/** Lost leases that cost no attempt of the schedule: as many as have a pause of their own. */
const lostMost = 'cardinality($10::float8[])';

/** Of a row with that many leases, `losses` of them lost: which attempt of the schedule is the last. */
const scheduled = (attempts: string, losses: string): string =>
  `${attempts} - least(${losses}, ${lostMost})`;

/** Milliseconds of pause after a lease that is now given, should it be lost as well. */
const pauseIfLost = `coalesce(case when m.losses < ${lostMost}
  then ($10::float8[])[m.losses + 1]
  else ($11::float8[])[${scheduled('p.attempts + 1', 'm.losses')}] end, 0)`;

/** All turns are counted in one order: else who has a turn in one has none in another. */
const inTurns = 'order by turn, due_at, delivery_id rows unbounded preceding';

/**
 * Leases due deliveries; see claim.ts. Step by step:
 *
 * - queued: from one endpoint with queued work to the next by the index, however long the queues,
 *   and where each one's queue begins: before that lies only what was delivered a moment ago
 * - next: each endpoint's next ones, as many as it has free places
 * - flown: what is in flight; it has had its places, so it is counted before all turns
 * - due: of the next ones, in turns between organisations, and within each in turns between its
 *   endpoints: who has the fewest in flight comes first, and who has nothing waits behind nobody's
 *   backlog. Endpoints that keep failing share a part of the places, however many organisations
 *   they are of
 * - held: their endpoints, locked against whoever deletes or disables one (they lock for update):
 *   either that change waits and then sees our leases, or we see the change and claim nothing
 * - mine: the rows themselves, without those that another process is claiming right now. They are
 *   fetched from where they lie (ctid), not by their keys again: one that was changed meanwhile lies
 *   elsewhere, and is not ours to take
 * - lost: the attempts of those whose last lease ended without a result
 * - leased: their rows. A lost lease is not an attempt of the schedule, up to `lostMost` of them;
 *   further ones are, so that a delivery which ends its process is not tried for ever
 *
 * One row tells what was looked at: `{ now, count, last, held }`, the time and the endpoints; each
 * other one is a delivery that is leased now.
 *
 * $1 after this endpoint, $2 endpoints at most, $3 attempts in flight as {endpoint: count}, $4 places
 * per endpoint, $5 deliveries at most, $6 the owner, $7 the lease in ms, $8 places per
 * organisation, $9 places for all endpoints together that keep failing, $10 pauses after lost leases
 * in ms, $11 the waits of the retry schedule in ms.
 */
export const claimSql = `with recursive queued (endpoint_id, due_at, position, n) as (
  (select p.endpoint_id, p.due_at, p.position, 1 from pending_deliveries p
   where p.endpoint_id > $1::uuid order by p.endpoint_id, p.due_at, p.position limit 1)
  union all
  select p.*, q.n + 1 from queued q cross join lateral (
    select p.endpoint_id, p.due_at, p.position from pending_deliveries p
    where p.endpoint_id > q.endpoint_id order by p.endpoint_id, p.due_at, p.position limit 1
  ) p where q.n < $2::int
), next as (
  select d.delivery_id, d.row, d.due_at, e.id as endpoint_id, e.organization_id, e.failing,
    e.flying + d.nth as turn
  from queued q
  cross join lateral (
    select e.id, e.organization_id, e.epoch, ${isFailing} as failing,
      coalesce(($3::jsonb ->> e.id::text)::int, 0) as flying
    from endpoints e where e.id = q.endpoint_id and e.status = 'ENABLED' and not e.disabled
    offset 0 -- each by its key: as a join it would be every endpoint beside every queue
  ) e
  cross join lateral (
    select p.delivery_id, p.row, p.due_at, row_number() over (order by p.due_at, p.position) as nth
    from (
      select p.delivery_id, p.ctid as row, p.due_at, p.position from pending_deliveries p
      where p.endpoint_id = e.id and (p.due_at, p.position) >= (q.due_at, q.position)
        and p.due_at <= now() and ${isFree('p')} and p.epoch = e.epoch
        and (p.tried or not exists (
          select from pending_deliveries earlier
          where earlier.endpoint_id = p.endpoint_id and earlier.order_id = p.order_id
            and earlier.position < p.position and not earlier.tried
            and earlier.epoch = p.epoch))
      order by p.due_at, p.position
      limit greatest(least($4::int, case when e.failing then ${failingFlights} end) - e.flying, 0)
    ) p
  ) d
), flown as (
  select e.organization_id, ${isFailing} as failing, f.count::int as places
  from jsonb_each_text($3::jsonb) as f (endpoint_id, count)
  join endpoints e on e.id = f.endpoint_id::uuid
), due as materialized (
  select row, endpoint_id from (
    select *, sum(places) over (partition by organization_id ${inTurns}) as organization_turn,
      sum(places) over (partition by failing ${inTurns}) as failing_turn
    from (
      select *, 1 as places from next
      union all
      select null, null, null, null, organization_id, failing, 0, places from flown
    ) n
  ) n
  where row is not null and organization_turn <= $8::int
    and (not failing or failing_turn <= $9::int)
  order by organization_turn, due_at, delivery_id limit $5::int
), held as materialized (
  select d.endpoint_id, d.rows, e.epoch, e.url, e.url_version,
    (select coalesce(json_agg(json_build_object('sealing_key', s.sealing_key,
        'sealed', translate(encode(s.sealed, 'base64'), E'\\n', '')) order by s.created_at desc),
        '[]')
      from endpoint_secrets s where s.endpoint_id = d.endpoint_id
        and (s.expires_at is null or s.expires_at > now())) as secrets
  from (select endpoint_id, array_agg(row) as rows from due
    group by endpoint_id order by endpoint_id) d
  cross join lateral (
    select e.epoch, e.url, e.url_version from endpoints e
    where e.id = d.endpoint_id and e.status = 'ENABLED' and not e.disabled
    for key share
  ) e
), mine as materialized (
  select p.ctid as row, p.lease_until is not null as lost,
    p.lost + (p.lease_until is not null)::int as losses
  from held h cross join lateral unnest(h.rows) as due (row)
  join pending_deliveries p on p.ctid = due.row and p.epoch = h.epoch
  where p.due_at <= now() and ${isFree('p')}
  for update of p skip locked
), lost as (
  insert into attempts (delivery_id, number, at, error, duration_ms)
  select p.delivery_id, p.attempts, p.leased_at, 'lost',
    (extract(epoch from p.lease_until - p.leased_at) * 1000)::int
  from pending_deliveries p join mine m on m.row = p.ctid and m.lost
  on conflict do nothing
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
    ${scheduled('p.attempts', 'p.lost')} as scheduled, m.lost as was_lost
)
select null::uuid as delivery_id, null::uuid as endpoint_id, null::int as attempts,
  null::float8 as first_attempt_ms, null::int as scheduled, null::int as lost,
  null::bool as was_lost, json_build_object('now', ${databaseNowMs},
    'count', count(endpoint_id), 'last', max(endpoint_id::text), 'held', (
      select json_agg(json_build_object('id', endpoint_id, 'epoch', epoch, 'url', url,
        'urlVersion', url_version, 'secrets', secrets)) from held)) as looked
from queued
union all
select delivery_id, endpoint_id, attempts, (extract(epoch from first_attempt_at) * 1000)::float8,
  scheduled, lost, was_lost, null
from leased`;
