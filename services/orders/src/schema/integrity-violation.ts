import { defineEntity, p } from '@mikro-orm/core';

/**
 * An integrity violation of the ledger (decisions 53 and 54). `order_id` is null for a violation of
 * the log.
 */
export const IntegrityViolationEntity = defineEntity({
  name: 'IntegrityViolation',
  tableName: 'integrity_violations',
  properties: {
    id: p.uuid().primary(),
    orderId: p.uuid().nullable(),
    entryId: p.text(),
    reason: p.text(),
    foundAt: p.datetime().defaultRaw('clock_timestamp()'),
    lastFoundAt: p.datetime().defaultRaw('clock_timestamp()'),
    notifiedAt: p.datetime().nullable(),
    resolvedAt: p.datetime().nullable(),
    acknowledgedAt: p.datetime().nullable(),
    acknowledgedBy: p.text().nullable(),
    acknowledgment: p.text().nullable(),
  },
  indexes: [{ name: 'integrity_violations_of_order', properties: ['orderId', 'id'] }],
  uniques: [
    {
      name: 'integrity_violations_unresolved',
      expression: `create unique index integrity_violations_unresolved on integrity_violations
        (order_id, entry_id, md5(reason)) nulls not distinct where resolved_at is null`,
    },
  ],
});
