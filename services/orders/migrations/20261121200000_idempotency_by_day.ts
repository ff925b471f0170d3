import { dailyPartitions, sqlMigration } from '@pto/database';

/**
 * Stores responses in one partition per day. Expiry drops the partition and deletes no single rows
 * (decision 24). One key may have an expired row and a valid row in two partitions. Each claim
 * takes a lock first, so there is at most one valid row.
 */
export const idempotencyByDay = sqlMigration('20261121200000_idempotency_by_day', [
  'alter table idempotency rename to idempotency_before',
  'alter table idempotency_before rename constraint idempotency_pkey to idempotency_before_pkey',
  `create table idempotency (
    -- UUIDv7: the moment of the claim, from which its age is counted
    id uuid not null,
    organization_id uuid not null,
    route text not null,
    key text not null,
    body_sha256 bytea not null,
    -- the first answer's body, to the byte; null only inside the transaction that makes it
    answer bytea,
    primary key (organization_id, route, key, id)
  ) partition by range (id)`,
  ...dailyPartitions({ outbox: 'sent_at is null', inbox: 'false', idempotency: 'false' }),
  `insert into idempotency (id, organization_id, route, key, body_sha256, answer)
   select (lpad(to_hex(floor(extract(epoch from created_at) * 1000)::bigint), 12, '0') || '7000'
       || '8000' || substr(md5(organization_id::text || route || key), 1, 12))::uuid,
     organization_id, route, key, body_sha256, answer
   from idempotency_before
   where created_at >= (now() at time zone 'utc')::date - 1 -- for older ones there is no partition`,
  'drop table idempotency_before',
]);
