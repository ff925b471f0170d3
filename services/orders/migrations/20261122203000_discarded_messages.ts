import { discardedDeadLetters } from '@pto/bus';
import { sqlMigration } from '@pto/database';

/** Lets an operator discard a dead letter; stores the operator's name and the reason. */
export const discardedMessages = sqlMigration(
  '20261122203000_discarded_messages',
  discardedDeadLetters,
);
