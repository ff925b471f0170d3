import { defineEntity, p } from '@mikro-orm/core';

/** An event that orders has produced and for which custody has not reported an entry yet. */
export const UnreportedEventEntity = defineEntity({
  name: 'UnreportedEvent',
  tableName: 'unreported_events',
  properties: {
    orderId: p.uuid().primary(),
    sequence: p.integer().primary(),
    producedAt: p.datetime().defaultRaw('clock_timestamp()'),
  },
  indexes: [
    { name: 'unreported_events_oldest', properties: ['producedAt', 'orderId', 'sequence'] },
  ],
});
