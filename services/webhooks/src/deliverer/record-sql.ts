import type { Sql } from '@pto/database';
import { databaseNowMs } from '../database-clock.ts';
import type { FailedEndpoint } from '../health/break-endpoint.ts';
import { type HealthChange, wellTimes } from '../health/health.ts';

/** SQL condition: this process ($1) leases the queued row `p` for the attempt `m`. */
const isOurs = 'p.lease_owner = $1::uuid and p.attempts = m.number';

const postponedSql = `), postponed as (
  update pending_deliveries p set tried = true, lease_owner = null, leased_at = null,
    lease_until = null, due_if_lost_at = null, due_at = now() + m.wait_ms * interval '1 ms',
    duplicated = coalesce(m.duplicated, p.duplicated)
  from mine m where p.ctid = m.row and p.organization_id = m.organization_id and ${isOurs}
    and m.next_state = 'PENDING'
  returning m.*
`;

const exhaustedSql = `), exhausted_deliveries as (
  update deliveries d set state = 'EXHAUSTED', reason = m.reason, ended_at = now()
  from ended m
  where d.organization_id = m.organization_id and d.id = m.delivery_id and m.next_state = 'EXHAUSTED'
    -- the keys as an array, else the planner may read all rows between the bounds
    and d.id = any (array(select delivery_id from ended where next_state = 'EXHAUSTED'))
    -- the bounds let PostgreSQL skip daily partitions
    and d.id between $4::uuid and $5::uuid
`;

/**
 * SQL that records ended attempts; see record.ts. Its steps:
 *
 * - given, mine: the results whose deliveries this process still leases, each with the next state
 *   of its delivery
 * - ended, postponed: the queue's rows, deleted or due again, by ctid
 * - attempted, exhausted_deliveries: inserts the attempts and updates the exhausted deliveries
 * - changed: the endpoints whose health changes, locked in the order of their ids
 *
 * If all results are DELIVERED, `postponed` and `exhausted_deliveries` are absent: PostgreSQL plans
 * a statement with partitions of `deliveries` at each run, which takes longer than the rest of it.
 *
 * The statement is text because of its plan: all steps are one round trip, `offset 0` forces
 * look-ups by key when the statistics of the fast-changing queue are outdated, and rows are found
 * again by ctid, a column that no entity declares.
 * `recording-reads-only-recorded-rows.test.ts` checks the plan.
 *
 * $1 the owner; $2 the results and $3 the changes of health, as JSON; $4 and $5 the least and the
 * greatest delivery id, only in the complete statement.
 */
const recordSql = (areDelivered: boolean): string => `with given as materialized (
  -- the parameter in a select, so that the statement is planned once (statement.ts of
  -- packages/database)
  select * from jsonb_to_recordset((select $2::jsonb)) as g (organization_id uuid,
    delivery_id uuid, number int, at timestamptz, status_code int, error text, duration_ms int,
    response_body text, state text, wait_ms float8, duplicated boolean)
), mine as materialized (
  select m.*, p.row,
    case when m.state = 'PENDING' and e.generation is distinct from p.generation then 'EXHAUSTED'
      else m.state end as next_state,
    case when m.state = 'PENDING' and e.id is null then 'deleted'
      when m.state = 'PENDING' and e.generation <> p.generation then e.generation_reason else '' end as reason
  from given m
  -- a look-up by key for each, whatever the statistics of a fast-changing queue say
  cross join lateral (
    select p.ctid as row, p.endpoint_id, p.generation from pending_deliveries p
    where p.organization_id = m.organization_id and p.delivery_id = m.delivery_id and ${isOurs}
    offset 0
  ) p
  left join lateral (
    select e.id, e.generation, e.generation_reason from endpoints e
    where e.organization_id = m.organization_id
      and e.id = case m.state when 'PENDING' then p.endpoint_id end
    offset 0
  ) e on true
-- by ctid: if another process leases the row meanwhile, its ctid changes and nothing matches
), ended as (
  delete from pending_deliveries p using mine m
  where p.ctid = m.row and p.organization_id = m.organization_id and ${isOurs}
    and m.next_state <> 'PENDING'
  returning m.*
${areDelivered ? '' : postponedSql}), attempted as (
  insert into attempts (organization_id, delivery_id, number, at, status_code, error, duration_ms,
    response_body)
  select organization_id, delivery_id, number, at, status_code, error, duration_ms, response_body
  from (select * from ended ${areDelivered ? '' : 'union all select * from postponed'}) m
  where at is not null
${areDelivered ? '' : exhaustedSql}), changed as materialized (
  select c.*
  -- locked in one order everywhere, which prevents deadlocks between replicas
  from (select * from jsonb_to_recordset((select $3::jsonb)) as c ("organizationId" uuid,
    "endpointId" uuid, "urlVersion" int, succeeded bool, failures int, exhausted int, "firstFailureAt" timestamptz,
    "lastFailureAt" timestamptz, "lastSuccessAt" timestamptz) order by "endpointId") c
  cross join lateral (
    select from endpoints e where e.organization_id = c."organizationId"
      and e.id = c."endpointId" and e.url_version = c."urlVersion"
      -- an endpoint that stays healthy is neither locked nor updated
      and (c.failures > 0 or e.consecutive_failures > 0 or e.exhausted > 0 or e.warned_level > 0
        or e.failing_since is not null or e.last_success_at is null
        or e.last_success_at < c."lastSuccessAt" - interval '1 s')
    for no key update
  ) e
)
update endpoints e set
  consecutive_failures = case when c.succeeded then 0 else e.consecutive_failures end + c.failures,
  exhausted = case when c.succeeded then 0 else e.exhausted end + c.exhausted,
  failing_since = case when c.succeeded then c."firstFailureAt"
    else coalesce(e.failing_since, c."firstFailureAt") end,
  warned_level = case when c.succeeded then 0 else e.warned_level end,
  last_failure_at = greatest(e.last_failure_at, c."lastFailureAt"),
  last_success_at = greatest(e.last_success_at, c."lastSuccessAt")
from changed c
where e.organization_id = c."organizationId" and e.id = c."endpointId"
  and e.url_version = c."urlVersion"
returning e.organization_id as "organizationId", e.id, c.failures, e.consecutive_failures as "consecutiveFailures", e.exhausted,
  e.warned_level as "warnedLevel",
  (extract(epoch from e.failing_since) * 1000)::float8 as "failingSince",
  (extract(epoch from greatest(${wellTimes.map((column) => `e.${column}`).join(', ')})) * 1000)::float8
    as "lastWellAt",
  ${databaseNowMs} as now`;

const recordDelivered = recordSql(true);
const recordAny = recordSql(false);

/**
 * Records ended attempts.
 * @param batch.bounds the least and the greatest delivery id; undefined if all are DELIVERED.
 * @returns each endpoint whose health this batch changed, with its new health and the number of
 *   failures after its last success in this batch.
 */
export const recordAttempts = (
  sql: Sql,
  { owner, results, changes, bounds }: RecordedBatch,
): Promise<(FailedEndpoint & { failures: number })[]> => {
  const parameters = [owner, JSON.stringify(results), JSON.stringify(changes)];
  return bounds
    ? sql.query(recordAny, [...parameters, ...bounds])
    : sql.query(recordDelivered, parameters);
};

interface RecordedBatch {
  readonly owner: string;
  readonly results: readonly object[];
  readonly changes: readonly HealthChange[];
  readonly bounds: readonly [least: string, greatest: string] | undefined;
}
