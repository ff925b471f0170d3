import { defineEntity, p } from '@mikro-orm/core';

/**
 * One outcome of an operator's action: `ok` or the kind of failure, with its time and duration. The
 * pages of one read share a row for the same outcome.
 */
export const OperatorOutcomeEntity = defineEntity({
  name: 'OperatorOutcome',
  tableName: 'operator_outcomes',
  properties: {
    id: p.bigint('string').primary().autoincrement(),
    actionId: p.uuid(),
    at: p.datetime().defaultRaw('clock_timestamp()'),
    outcome: p.text(),
    durationMs: p.integer(),
  },
  indexes: [{ name: 'operator_outcomes_of_action', properties: ['actionId', 'id'] }],
});
