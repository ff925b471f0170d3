import { consumerPositions } from '@pto/bus';
import { sqlMigration } from '@pto/database';

/**
 * Stores the consumer's position in the transaction of the effects
 * (packages/bus/src/consume/position-statements.ts).
 */
export const consumerPositionsTable = sqlMigration(
  '20261123003000_consumer_positions',
  consumerPositions,
);
