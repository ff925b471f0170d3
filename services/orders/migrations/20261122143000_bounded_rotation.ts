import { boundedRotation, sqlMigration } from '@pto/database';

/** Prevents the service's role from dropping partitions of days that the service must retain. */
export const boundedDays = sqlMigration(
  '20261122143000_bounded_rotation',
  boundedRotation({ outbox: 7, inbox: 7, idempotency: 1 }),
);
