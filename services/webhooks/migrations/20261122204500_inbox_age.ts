import { rotationBounds, sqlMigration } from '@pto/database';

/** Retains inbox rows for as long as Kafka can deliver an event (packages/bus/src/inbox-age.ts). */
export const inboxAge = sqlMigration(
  '20261122204500_inbox_age',
  rotationBounds({ inbox: 16, deliveries: 30, attempts: 30, events: 30 }),
);
