import { eventNames } from '@pto/proto/vocabulary';
import {
  boolean,
  described,
  integer,
  list,
  model,
  nullable,
  optional,
  string,
  uuid,
} from '../../validation/index.ts';

/**
 * The events that an endpoint receives; null: all events (decision 33). In an update, an absent
 * member leaves the filter unchanged.
 */
const eventFilter = nullable(
  list(
    string({
      rule: (name) =>
        eventNames.some((known) => known === name) ? undefined : 'not the name of an event',
      json: { title: 'KnownEventName', enum: eventNames },
    }),
    { min: 1 },
  ),
);

/** An HTTPS URL (contract 2.5). The webhooks service performs all further checks. */
const url = string({
  min: 12,
  max: 500,
  rule: (text) => (/^https:\/\//i.test(text) ? undefined : 'must be an HTTPS URL'),
  json: { format: 'uri' },
});

export const endpointId = described(uuid(), 'The `id` of the endpoint.');

export const endpointPath = model({ endpoint_id: endpointId });

const day = 86_400;

export const rotateSecret = model(
  {
    overlap: described(
      optional(integer({ ge: 0, le: 7 * day }), day),
      'Seconds during which deliveries are signed with the previous secret, too.',
    ),
  },
  {},
  { title: 'SecretRotation' },
);

export const endpointCreate = model(
  { url, event_filter: optional(eventFilter, null) },
  {},
  { title: 'WebhookEndpointCreate' },
);

export const endpointUpdate = model(
  {
    url: optional(nullable(url)),
    event_filter: optional(eventFilter),
    disabled: optional(nullable(boolean())),
  },
  {},
  { title: 'WebhookEndpointUpdate' },
);
