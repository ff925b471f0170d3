import { rotationBounds, sqlMigration } from '@pto/database';

/** The inbox remembers events for as long as Kafka can deliver them (packages/bus/src/inbox-age.ts). */
export const inboxAge = sqlMigration(
  '20261122204500_inbox_age',
  rotationBounds({ inbox: 16, deliveries: 30, attempts: 30, events: 30 }),
);
