import { movingRotation, sqlMigration } from '@pto/database';

/**
 * Moves rows from a default partition to the partition of their day. Before, such a row prevented
 * the creation of that partition.
 */
export const rowsMoveToTheirDay = sqlMigration(
  '20261122195000_moving_rotation',
  movingRotation({ outbox: 'sent_at is null', inbox: 'false', idempotency: 'false' }),
);
