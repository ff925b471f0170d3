import { movingRotation, sqlMigration } from '@pto/database';

/** A row in a default partition no longer prevents the partition of its day. */
export const rowsMoveToTheirDay = sqlMigration(
  '20261122195000_moving_rotation',
  movingRotation({ outbox: 'sent_at is null', inbox: 'false' }),
);
