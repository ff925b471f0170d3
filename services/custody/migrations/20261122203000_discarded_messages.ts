import { discardedDeadLetters } from '@pto/bus';
import { sqlMigration } from '@pto/database';

/** Lets an operator discard a dead letter. The operator's name and a reason are stored. */
export const discardedMessages = sqlMigration(
  '20261122203000_discarded_messages',
  discardedDeadLetters,
);
