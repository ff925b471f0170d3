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
