import { longMigration, shortMigration } from '@pto/database';

/**
 * What was reported of an order's expected times (decision 87), as JSON, and when a time that moved
 * is announced at the earliest; null: nothing.
 */
export const expectedTimes = shortMigration('20261130210000_expected_times', [
  'alter table orders add column expected_times text',
  'alter table orders add column expected_due_at timestamptz',
]);

/** Few orders have a time that is due. */
export const expectedDue = longMigration('20261130210001_expected_due', [
  'drop index concurrently if exists orders_expected_due',
  `create index concurrently orders_expected_due
    on orders (expected_due_at) where expected_due_at is not null`,
]);
