import { defineEntity, p } from '@mikro-orm/core';

/** An event of an organization with endpoints; the endpoints can recover the event for 30 days. */
export const StoredEventEntity = defineEntity({
  name: 'StoredEvent',
  tableName: 'events',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    orderId: p.uuid(),
    eventId: p.uuid(),
    event: p.text(),
    body: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
  indexes: [{ name: 'events_of_organization', properties: ['organizationId', 'id'] }],
});
