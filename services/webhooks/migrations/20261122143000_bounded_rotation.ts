import { boundedRotation, sqlMigration } from '@pto/database';

/** Prevents the service's database role from dropping the partitions of days that are retained. */
export const boundedDays = sqlMigration(
  '20261122143000_bounded_rotation',
  boundedRotation({ inbox: 7, deliveries: 30, attempts: 30, events: 30 }),
);
