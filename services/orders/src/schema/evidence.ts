import { defineEntity, p } from '@mikro-orm/core';

/** The digest of an event that orders produced, as evidence for the auditor (decision 55). */
export const ProducedEventEntity = defineEntity({
  name: 'ProducedEvent',
  tableName: 'produced_events',
  properties: {
    orderId: p.uuid().primary(),
    sequence: p.integer().primary(),
    digest: p.blob(),
    producedAt: p.datetime().defaultRaw('clock_timestamp()'),
  },
});

/** An event that orders has produced and for which custody has not reported an entry yet. */
export const UnreportedEventEntity = defineEntity({
  name: 'UnreportedEvent',
  tableName: 'unreported_events',
  properties: {
    orderId: p.uuid().primary(),
    sequence: p.integer().primary(),
    producedAt: p.datetime().defaultRaw('clock_timestamp()'),
  },
});

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
});
