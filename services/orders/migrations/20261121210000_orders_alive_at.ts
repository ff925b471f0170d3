import { sqlMigration } from '@pto/database';

/**
 * An index over the spans from `created_at` to `updated_at`. A list by `updated_since` needs two
 * kinds of orders: those created since, in the order of the list's own index, and those created
 * before and changed since. The span of the second kind contains that moment, so this index finds
 * exactly these.
 */
export const ordersAliveAt = sqlMigration('20261121210000_orders_alive_at', [
  'create extension if not exists btree_gist',
  'alter table orders add constraint orders_changed_after_made check (updated_at >= created_at)',
  `create index orders_alive_at on orders
     using gist (organization_id, tstzrange(created_at, updated_at, '[]'), status)`,
  'drop index orders_by_change',
]);
