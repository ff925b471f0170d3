import { consumerPositions } from '@pto/bus';
import { sqlMigration } from '@pto/database';

/**
 * Adds the table of consumer positions. The consumer updates it in the transaction of the effects
 * (packages/bus/src/consume/position-statements.ts).
 */
export const consumerPositionsTable = sqlMigration(
  '20261123003000_consumer_positions',
  consumerPositions,
);
