import { consumerPositions } from '@pto/bus';
import { sqlMigration } from '@pto/database';

/**
 * Creates the table of what the consumer has handled, stored beside the effects
 * (packages/bus/src/consume/position-statements.ts).
 */
export const consumerPositionsTable = sqlMigration(
  '20261123003000_consumer_positions',
  consumerPositions,
);
