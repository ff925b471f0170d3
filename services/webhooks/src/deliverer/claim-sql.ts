/** An endpoint that keeps failing, most likely by time-outs, may not hold many places for long. */
const failingFrom = 10;
const failingFlights = 2;
/** Of an endpoint `e`. */
export const isFailing = `e.consecutive_failures >= ${failingFrom}`;

/** Whether nobody is attempting it now, for all that is known. */
const isFree = (p: string): string => `(${p}.lease_until is null or ${p}.lease_until <= now())`;

/**
 * Leases due deliveries; see claim.ts. Step by step:
 *
 * - queued: from one endpoint with queued work to the next by the index, however long the queues
 * - flown: what each organisation has in flight
 * - next: each endpoint's next ones, as many as it has free places
 * - due: of these, in turns between organisations, and within each in turns between its endpoints:
 *   who has the fewest in flight comes first, and who has nothing waits behind nobody's backlog.
 *   Endpoints that keep failing share a part of the places, however many organisations they are of.
 *   All turns are counted in one order, ties included: else who has a turn in one has none in another
 * - held: their endpoints, locked against whoever deletes or disables one (they lock for update):
 *   either that change waits and then sees our leases, or we see the change and claim nothing
 * - mine: the rows themselves, without those that another process is claiming right now
 * - lost: the attempts of those whose last lease ended without a result
 *
 * $1 after this endpoint, $2 endpoints at most, $3 attempts in flight as {endpoint: count}, $4 places
 * per endpoint, $5 deliveries at most, $6 the owner, $7 the lease in ms, $8 places per
 * organisation, $9 places for all endpoints together that keep failing.
 */
export const claimSql = `with recursive queued (endpoint_id, n) as (
  (select p.endpoint_id, 1 from pending_deliveries p where p.endpoint_id > $1::uuid
   order by p.endpoint_id limit 1)
  union all
  select (select p.endpoint_id from pending_deliveries p where p.endpoint_id > q.endpoint_id
    order by p.endpoint_id limit 1), q.n + 1
  from queued q where q.endpoint_id is not null and q.n < $2::int
), flown as materialized (
  select e.organization_id, sum(f.count::int)::int as count,
    coalesce(sum(f.count::int) filter (where ${isFailing}), 0)::int as failing
  from jsonb_each_text($3::jsonb) as f (endpoint_id, count)
  join endpoints e on e.id = f.endpoint_id::uuid group by e.organization_id
), next as (
  select d.delivery_id, d.due_at, e.id as endpoint_id, e.organization_id, e.failing,
    e.flying + d.nth as turn
  from queued q
  cross join lateral (
    select e.id, e.organization_id, e.epoch, ${isFailing} as failing,
      coalesce(($3::jsonb ->> e.id::text)::int, 0) as flying
    from endpoints e where e.id = q.endpoint_id and e.status = 'ENABLED' and not e.disabled
    offset 0 -- each by its key: as a join it would be every endpoint beside every queue
  ) e
  cross join lateral (
    select p.delivery_id, p.due_at, row_number() over (order by p.due_at, p.position) as nth
    from (
      select p.delivery_id, p.due_at, p.position from pending_deliveries p
      where p.endpoint_id = e.id and p.due_at <= now() and ${isFree('p')} and p.epoch = e.epoch
        and (p.tried or not exists (
          select from pending_deliveries earlier
          where earlier.endpoint_id = p.endpoint_id and earlier.order_id = p.order_id
            and earlier.position < p.position and not earlier.tried
            and earlier.epoch = p.epoch))
      order by p.due_at, p.position
      limit greatest(least($4::int, case when e.failing then ${failingFlights} end) - e.flying, 0)
    ) p
  ) d
), due as materialized (
  select n.delivery_id, n.endpoint_id from (
    select n.*, coalesce(flown.count, 0) + row_number() over (
        partition by n.organization_id order by n.turn, n.due_at, n.delivery_id) as organization_turn,
      (select coalesce(sum(failing), 0) from flown) + row_number() over (
        partition by n.failing order by n.turn, n.due_at, n.delivery_id) as failing_turn
    from next n left join flown on flown.organization_id = n.organization_id
  ) n
  where n.organization_turn <= $8::int and (not n.failing or n.failing_turn <= $9::int)
  order by n.organization_turn, n.due_at, n.delivery_id limit $5::int
), held as materialized (
  select d.deliveries, e.epoch, e.url, e.url_version,
    (select coalesce(json_agg(json_build_object('sealing_key', s.sealing_key,
        'sealed', translate(encode(s.sealed, 'base64'), E'\\n', '')) order by s.created_at desc),
        '[]')
      from endpoint_secrets s where s.endpoint_id = d.endpoint_id
        and (s.expires_at is null or s.expires_at > now())) as secrets
  from (select endpoint_id, array_agg(delivery_id) as deliveries from due
    group by endpoint_id order by endpoint_id) d
  cross join lateral (
    select e.epoch, e.url, e.url_version from endpoints e
    where e.id = d.endpoint_id and e.status = 'ENABLED' and not e.disabled
    for key share
  ) e
), mine as materialized (
  select p.delivery_id, p.lease_until is not null as lost, h.url, h.url_version, h.secrets
  from held h cross join lateral unnest(h.deliveries) as due (delivery_id)
  join pending_deliveries p on p.delivery_id = due.delivery_id and p.epoch = h.epoch
  where p.due_at <= now() and ${isFree('p')}
  for update of p skip locked
), lost as (
  insert into attempts (delivery_id, number, at, error, duration_ms)
  select p.delivery_id, p.attempts, p.leased_at, 'lost',
    (extract(epoch from p.lease_until - p.leased_at) * 1000)::int
  from pending_deliveries p join mine m on m.delivery_id = p.delivery_id and m.lost
  on conflict do nothing
), leased as (
  update pending_deliveries p set attempts = p.attempts + 1, lease_owner = $6::uuid,
    leased_at = now(), lease_until = now() + $7::float8 * interval '1 ms',
    first_attempt_at = coalesce(p.first_attempt_at, now())
  from mine m where p.delivery_id = m.delivery_id
  returning p.delivery_id, p.endpoint_id, p.epoch, p.attempts, p.first_attempt_at,
    m.url, m.url_version, m.secrets
)
select l.delivery_id, l.endpoint_id, l.epoch, l.attempts, l.url, l.url_version,
  (extract(epoch from l.first_attempt_at) * 1000)::float8 as first_attempt_ms,
  l.secrets, looked.looked_at, looked.last_endpoint
from (select count(endpoint_id)::int as looked_at, max(endpoint_id::text) as last_endpoint
  from queued) looked
left join leased l on true`;
