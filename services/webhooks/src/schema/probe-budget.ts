import { defineEntity, p } from '@mikro-orm/core';

/**
 * The budget of a host for handshakes and test requests. All of it is available again at `full_at`.
 */
export const ProbeBudgetEntity = defineEntity({
  name: 'ProbeBudget',
  tableName: 'probe_budgets',
  properties: {
    subject: p.text().primary(),
    fullAt: p.datetime(),
  },
});
