import { movingRotation, sqlMigration } from '@pto/database';

/** The rotation moves rows of a default partition to their day, so they do not block it. */
export const rowsMoveToTheirDay = sqlMigration(
  '20261122195000_moving_rotation',
  movingRotation({
    inbox: 'false',
    deliveries: 'id in (select delivery_id from pending_deliveries)',
    attempts: 'false',
    events: 'false',
  }),
);
