import { discardedDeadLetters } from '@pto/bus';
import { sqlMigration } from '@pto/database';

/** An operator can discard a dead letter, by name and with a reason. */
export const discardedMessages = sqlMigration(
  '20261122203000_discarded_messages',
  discardedDeadLetters,
);
