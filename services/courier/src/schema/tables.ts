import { defineEntity, p } from '@mikro-orm/core';
import { tablesOf } from '@pto/database';

/** Steps with delays that the courier takes on an order. `due_at` is null when the run is over. */
const Run = defineEntity({
  name: 'Run',
  tableName: 'runs',
  properties: {
    orderId: p.uuid().primary(),
    organizationId: p.uuid(),
    plan: p.text(),
    steps: p.text(),
    position: p.integer().default(0),
    dueAt: p.datetime().nullable(),
    lease: p.uuid().nullable(),
    tries: p.integer().default(0),
    begunAtSequence: p.integer().nullable(),
    reason: p.text().nullable(),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});

/** All tables of this service's migrated database. */
export const entities = [Run] as const;

/** Builds statements over this service's tables; `execute` of @pto/database runs them. */
export const tables = tablesOf(entities);
