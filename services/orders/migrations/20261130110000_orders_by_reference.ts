import { longMigration } from '@pto/database';

/**
 * The list's index with the external id, by which a search for a part of it reads no order. It takes
 * the place of the one without.
 */
export const ordersByReference = longMigration('20261130110000_orders_by_reference', [
  'drop index concurrently if exists orders_newest_with_reference',
  `create index concurrently orders_newest_with_reference
    on orders (organization_id, created_at desc, id desc) include (external_id)`,
]);

/** A migration of its own: a repetition of the one before must find an index. */
export const withoutOrdersNewest = longMigration('20261130110001_without_orders_newest', [
  'drop index concurrently if exists orders_newest',
]);
