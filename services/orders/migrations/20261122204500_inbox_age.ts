import { rotationBounds, sqlMigration } from '@pto/database';

/**
 * Retains event ids in the inbox as long as Kafka can deliver the events
 * (packages/bus/src/inbox-age.ts).
 */
export const inboxAge = sqlMigration(
  '20261122204500_inbox_age',
  rotationBounds({ outbox: 7, inbox: 16, idempotency: 1 }),
);
