import type { Database } from '@pto/database';
import { type CountedAttempt, healthChanges } from '../health/change.ts';
import { healthColumns } from '../health/health-row.ts';
import type { FailedEndpoint } from '../health/judge.ts';
import type { Finished } from './finished.ts';

/**
 * Records ended attempts in one statement. It inserts the attempts, postpones or ends the
 * deliveries (a delivered one only leaves the queue), and updates the endpoints' health. It skips
 * deliveries that this process no longer leases. A failed delivery of an older generation ends with
 * the reason of the endpoint, for example `disabled`.
 * @returns the health of the endpoints with a failed attempt.
 */
export const record = async (
  db: Database,
  owner: string,
  finished: readonly Finished[],
): Promise<FailedEndpoint[]> => {
  const ids = finished.map((f) => f.deliveryId).sort();
  const changes = healthChanges(finished.flatMap(counted));
  const parameters = [
    owner,
    finished.map((f) => f.deliveryId),
    finished.map((f) => f.number),
    finished.map((f) => f.attempt?.at ?? null),
    finished.map((f) => f.attempt?.statusCode ?? null),
    finished.map((f) => f.attempt?.error ?? ''),
    finished.map((f) => f.attempt?.durationMs ?? 0),
    finished.map((f) => f.verdict.state),
    finished.map((f) => (f.verdict.state === 'PENDING' ? f.verdict.waitMs : 0)),
    changes.map((c) => c.endpointId),
    changes.map((c) => c.urlVersion),
    changes.map((c) => c.succeeded),
    changes.map((c) => c.failures),
    changes.map((c) => c.exhausted),
    changes.map((c) => c.firstFailureAt),
    changes.map((c) => c.lastFailureAt),
    changes.map((c) => c.lastSuccessAt),
    ids[0],
    ids.at(-1),
  ];
  const rows = await db.query<FailedEndpoint & { failures: number }>(recordSql, parameters);
  return rows.filter(({ failures }) => failures > 0);
};

const counted = (finished: Finished): CountedAttempt[] => {
  const { endpointId, urlVersion, attempt, verdict } = finished;
  if (!attempt?.counts) return [];
  return [
    {
      endpointId,
      urlVersion,
      succeeded: verdict.state === 'DELIVERED',
      exhausted: verdict.state === 'EXHAUSTED',
      endedAt: attempt.endedAt,
    },
  ];
};

/** SQL condition: this process leases the queued row `p` for the attempt `m`. */
const isOurs = 'p.lease_owner = $1::uuid and p.attempts = m.number';

const recordSql = `with given as materialized (
  select * from unnest($2::uuid[], $3::int[], $4::timestamptz[], $5::int[], $6::text[], $7::int[],
    $8::text[], $9::float8[])
    as g (delivery_id, number, at, status_code, error, duration_ms, state, wait_ms)
), mine as materialized (
  select m.*, p.row,
    case when m.state = 'PENDING' and e.epoch is distinct from p.epoch then 'EXHAUSTED'
      else m.state end as next_state,
    case when m.state = 'PENDING' and e.id is null then 'deleted'
      when m.state = 'PENDING' and e.epoch <> p.epoch then e.epoch_reason else '' end as reason
  from given m
  -- a look-up by key for each, whatever the statistics of a fast-changing queue say
  cross join lateral (
    select p.ctid as row, p.endpoint_id, p.epoch from pending_deliveries p
    where p.delivery_id = m.delivery_id and ${isOurs}
    offset 0
  ) p
  left join lateral (
    select e.id, e.epoch, e.epoch_reason from endpoints e
    where e.id = case m.state when 'PENDING' then p.endpoint_id end
    offset 0
  ) e on true
-- by ctid: if another process leases the row meanwhile, its ctid changes and nothing matches
), ended as (
  delete from pending_deliveries p using mine m
  where p.ctid = m.row and ${isOurs} and m.next_state <> 'PENDING'
  returning m.*
), postponed as (
  update pending_deliveries p set tried = true, lease_owner = null, leased_at = null,
    lease_until = null, due_if_lost_at = null, due_at = now() + m.wait_ms * interval '1 ms'
  from mine m where p.ctid = m.row and ${isOurs} and m.next_state = 'PENDING'
  returning m.*
), attempted as (
  insert into attempts (delivery_id, number, at, status_code, error, duration_ms)
  select delivery_id, number, at, status_code, error, duration_ms
  from (select * from ended union all select * from postponed) m where at is not null
), exhausted_deliveries as (
  update deliveries d set state = 'EXHAUSTED', reason = m.reason, ended_at = now()
  from ended m
  where d.id = m.delivery_id and m.next_state = 'EXHAUSTED'
    -- the keys as an array, else the planner may read all rows between the bounds
    and d.id = any (array(select delivery_id from ended where next_state = 'EXHAUSTED'))
    -- the bounds let PostgreSQL skip daily partitions
    and d.id between $18::uuid and $19::uuid
), changed as materialized (
  select c.*
  -- locked in one order everywhere, which prevents deadlocks between replicas
  from (select * from unnest($10::uuid[], $11::int[], $12::bool[], $13::int[], $14::int[],
      $15::timestamptz[], $16::timestamptz[], $17::timestamptz[])
    as c (id, url_version, succeeded, failures, exhausted, first_failure_at, last_failure_at,
      last_success_at) order by id) c
  cross join lateral (
    select from endpoints e where e.id = c.id and e.url_version = c.url_version
      -- an endpoint that stays healthy is neither locked nor updated
      and (c.failures > 0 or e.consecutive_failures > 0 or e.exhausted > 0 or e.warned_level > 0
        or e.failing_since is not null or e.last_success_at is null
        or e.last_success_at < c.last_success_at - interval '1 s')
    for no key update
  ) e
)
update endpoints e set
  consecutive_failures = case when c.succeeded then 0 else e.consecutive_failures end + c.failures,
  exhausted = case when c.succeeded then 0 else e.exhausted end + c.exhausted,
  failing_since = case when c.succeeded then c.first_failure_at
    else coalesce(e.failing_since, c.first_failure_at) end,
  warned_level = case when c.succeeded then 0 else e.warned_level end,
  last_failure_at = greatest(e.last_failure_at, c.last_failure_at),
  last_success_at = greatest(e.last_success_at, c.last_success_at)
from changed c
where e.id = c.id and e.url_version = c.url_version
returning e.id, c.failures, ${healthColumns('e')}`;
