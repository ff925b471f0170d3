import { boundedRotation, sqlMigration } from '@pto/database';

/** The service's role cannot drop days that the service promises to keep. */
export const boundedDays = sqlMigration(
  '20261122143000_bounded_rotation',
  boundedRotation({ outbox: 7, inbox: 7, idempotency: 1 }),
);
