import { movingRotation, sqlMigration } from '@pto/database';

/** Lets the rotation create the partition of a day that has rows in the default partition. */
export const rowsMoveToTheirDay = sqlMigration(
  '20261122195000_moving_rotation',
  movingRotation({ outbox: 'sent_at is null', inbox: 'false' }),
);
