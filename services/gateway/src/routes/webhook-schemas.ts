import { boolean, list, model, nullable, optional, string, uuid } from '../validation/index.ts';

/** Contract 6.1. */
const eventNames = [
  'order.submitted',
  'order.assigned',
  'order.accepted',
  'order.driver_assigned',
  'order.pickup_started',
  'order.sealed',
  'order.in_transit',
  'order.delivered',
  'order.closed',
  'order.cancelled',
  'order.updated',
  'order.incident_reported',
  'order.escalated',
  'order.test',
];

/** Decision 33; null and absent are different things in an update. */
const eventFilter = nullable(
  list(
    string({
      rule: (name) => (eventNames.includes(name) ? undefined : 'not the name of an event'),
      json: { enum: eventNames },
    }),
    { min: 1 },
  ),
);

/** HTTPS only (contract 2.5); what else may be wrong with a URL is the webhooks service's to say. */
const url = string({
  min: 12,
  max: 500,
  rule: (text) => (/^https:\/\//i.test(text) ? undefined : 'must be an HTTPS URL'),
  json: { format: 'uri' },
});

export const endpointPath = model({ endpoint_id: uuid() });

export const endpointCreate = model({ url, event_filter: optional(eventFilter, null) });

export const endpointUpdate = model({
  url: optional(nullable(url)),
  event_filter: optional(eventFilter),
  disabled: optional(nullable(boolean())),
});
