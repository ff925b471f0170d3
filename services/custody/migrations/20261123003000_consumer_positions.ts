import { consumerPositions } from '@pto/bus';
import { sqlMigration } from '@pto/database';

/** The consumer stores what it has handled beside the effects (packages/bus/src/consume/positions.ts). */
export const consumerPositionsTable = sqlMigration(
  '20261123003000_consumer_positions',
  consumerPositions,
);
