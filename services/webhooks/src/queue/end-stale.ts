import type { Database } from '@pto/database';

const batchMax = 500;

/**
 * Ends queued deliveries of an older generation, in small batches: their endpoint was deleted,
 * disabled, made BROKEN or not verified in time. They become EXHAUSTED with that reason. A leased
 * delivery is left to its attempt. The deliverer claims none of them.
 * @param endpointId limits the work to one endpoint; null: all endpoints.
 * @param until no batch starts after this time, in milliseconds since the epoch.
 */
export const endStale = async (
  db: Database,
  endpointId: string | null,
  until = Number.POSITIVE_INFINITY,
): Promise<void> => {
  for (let ended = batchMax; ended === batchMax && Date.now() < until; )
    ended = await endBatch(db, endpointId);
};

const endBatch = (db: Database, endpointId: string | null): Promise<number> =>
  db.transaction(async (tx) => {
    const rows = await tx.query<{ delivery_id: string; reason: string }>(takeStaleSql, [
      endpointId,
      batchMax,
    ]);
    if (rows.length === 0) return 0;
    await tx.query(
      `update deliveries d set state = 'EXHAUSTED', reason = s.reason, ended_at = now()
       from unnest($1::uuid[], $2::text[]) as s (id, reason)
       where d.id = any ($1::uuid[]) and d.id = s.id`,
      [rows.map((row) => row.delivery_id), rows.map((row) => row.reason)],
    );
    return rows.length;
  });

const takeStaleSql = `with stale as materialized (
  select p.delivery_id, p.attempts, p.leased_at, p.lease_until,
    coalesce(e.epoch_reason, 'deleted') as reason
  from pending_deliveries p left join endpoints e on e.id = p.endpoint_id
  where ($1::uuid is null or p.endpoint_id = $1::uuid)
    and e.epoch is distinct from p.epoch
    and (p.lease_until is null or p.lease_until <= now())
  limit $2::int for update of p skip locked
), lost as (
  insert into attempts (delivery_id, number, at, error, duration_ms)
  select delivery_id, attempts, leased_at, 'lost',
    (extract(epoch from lease_until - leased_at) * 1000)::int
  from stale where leased_at is not null
  on conflict do nothing
)
delete from pending_deliveries p using stale s where p.delivery_id = s.delivery_id
returning p.delivery_id, s.reason`;
