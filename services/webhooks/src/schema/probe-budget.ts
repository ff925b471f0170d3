import { defineEntity, p } from '@mikro-orm/core';

/** The budget of a subject for handshakes and test requests, available again at `full_at`. */
export const ProbeBudgetEntity = defineEntity({
  name: 'ProbeBudget',
  tableName: 'probe_budgets',
  properties: {
    subject: p.text().primary(),
    fullAt: p.datetime(),
  },
});
