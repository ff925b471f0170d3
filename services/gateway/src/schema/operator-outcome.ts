import { defineEntity, p } from '@mikro-orm/core';

/** The outcome of an operator's action: `ok`, or the kind of failure. */
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
