import { rejectedDeadLetters } from '@pto/bus';
import { sqlMigration } from '@pto/database';

/** Stores messages without proof of origin as dead letters that block no key (decision 55). */
export const rejectedMessages = sqlMigration(
  '20261122113000_rejected_messages',
  rejectedDeadLetters,
);
