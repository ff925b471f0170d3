import { sqlMigration } from '@pto/database';

/**
 * `updated_since` asks for two kinds of orders: those made since, which the list's own index gives
 * in order, and those made before and changed since: whose span from the making to the last change
 * holds that moment. An index over spans finds exactly these.
 */
export const ordersAliveAt = sqlMigration('20261121210000_orders_alive_at', [
  'create extension if not exists btree_gist',
  'alter table orders add constraint orders_changed_after_made check (updated_at >= created_at)',
  `create index orders_alive_at on orders
     using gist (organization_id, tstzrange(created_at, updated_at, '[]'), status)`,
  'drop index orders_by_change',
]);
