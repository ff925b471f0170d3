import { deliveryStates, eventNames } from '@pto/proto/vocabulary';
import { boolean } from '../validation/numbers.ts';
import { count, number, openEnum, timestamp } from '../validation/response-only.ts';
import {
  described,
  list,
  maybe,
  model,
  nullable,
  optional,
  parameters,
} from '../validation/schema.ts';
import { choice, dateTime, string, uuid } from '../validation/texts.ts';
import { nextCursor, pageLimit } from './pages.ts';
import { endpointId, eventName, webhookEndpointStatus } from './webhooks.ts';

export const deliveryQuery = parameters({
  limit: pageLimit('deliveries'),
  cursor: described(optional(uuid()), '`next_cursor` of the previous page.'),
  state: described(
    optional(choice(deliveryStates, 'KnownDeliveryState')),
    'Only deliveries in this state.',
  ),
  event: described(
    optional(choice(eventNames, 'KnownEventName')),
    'Only deliveries of this event.',
  ),
  order_id: described(optional(uuid()), 'Only deliveries about this order.'),
});

export const deliveryPath = parameters({
  endpoint_id: endpointId,
  delivery_id: described(uuid(), 'The `id` of the delivery.'),
});

export const recover = model(
  'RecoverRequest',
  {
    since: described(dateTime(), 'Start of the time span; events are stored for 30 days.'),
    until: described(maybe(dateTime()), 'End of the time span; null or absent: now.'),
    include_pending: described(
      optional(boolean(), false),
      'Whether deliveries of the time span that wait for a retry are attempted now, with the same `id`.',
    ),
    order_id: described(maybe(uuid()), 'Only events of this order; null or absent: of all.'),
  },
  {
    member: {
      until: (until, { since }) =>
        until && since && until <= since ? 'must be after since' : undefined,
    },
  },
);

/** State of a delivery (contract 3.3). */
const deliveryState = openEnum('DeliveryState', deliveryStates, 'State of a delivery.');

const attempt = model('DeliveryAttempt', {
  at: timestamp(),
  status_code: described(maybe(count()), 'Status of the response; null if there was no response.'),
  error: described(
    maybe(string()),
    'Why there was no response: `timeout`, `tls` or another reason of a handshake. `duplicate`: there was one, and a rehearsal of the sandbox sends the delivery again.',
  ),
  duration_ms: number(),
  response_body: described(
    maybe(string()),
    'The first 1 KiB of the body of the response as text; null if it has none or was erased with personal data of the order. In the list of an order only for the last attempt of each delivery.',
  ),
});

export const delivery = model('Delivery', {
  id: described(uuid(), 'The value of the header `X-Service-Delivery`.'),
  endpoint_id: uuid(),
  endpoint_address: described(
    maybe(string()),
    "Host and path of the endpoint's URL; of a deleted endpoint those at its deletion.",
  ),
  endpoint_deleted_at: described(
    maybe(timestamp()),
    'When the endpoint was deleted; null if it exists.',
  ),
  order_id: uuid(),
  order_external_id: described(maybe(string()), 'Your reference of the order.'),
  event: eventName,
  sequence: described(
    maybe(count()),
    "The event's number in the endpoint's stream, from 1 without gaps. A replay has the number of the delivery that it repeats.",
  ),
  state: deliveryState,
  reason: described(maybe(string()), 'Why the delivery ended, if not by an attempt.'),
  replay_of: described(
    maybe(uuid()),
    'The delivery that this one repeats; null if it repeats none.',
  ),
  created_at: timestamp(),
  due_at: described(
    maybe(timestamp()),
    'When the next attempt is due; null when the delivery has ended.',
  ),
  attempts: list(attempt),
});

export const deliveryList = model('DeliveryList', {
  data: list(delivery),
  next_cursor: nextCursor,
});

const endpointSummary = model('EndpointSummary', {
  endpoint_id: uuid(),
  endpoint_address: string(),
  endpoint_deleted_at: described(
    maybe(timestamp()),
    'When the endpoint was deleted; null if it exists.',
  ),
  endpoint_status: nullable(webhookEndpointStatus),
  endpoint_disabled: boolean(),
  events: described(
    count(),
    'Number of events of the order that were sent to the endpoint, or that its filter selects since its creation.',
  ),
  delivered: described(count(), 'Of these, the events that the endpoint has received.'),
  failed: described(
    count(),
    'Of these, the events that it has not received and that wait for no attempt: recover them.',
  ),
  last_delivered_at: maybe(timestamp()),
  due_at: described(maybe(timestamp()), 'When the next attempt is due; null if none is.'),
  last_failure: described(
    nullable(attempt),
    'The last attempt for an event that the endpoint has not received.',
  ),
});

export const orderDeliveries = model('OrderDeliveries', {
  data: list(delivery),
  has_more: described(boolean(), 'Whether the order has more than these 1,000, the newest ones.'),
  endpoints: list(endpointSummary),
});

export const recovery = model('Recovery', {
  queued: described(count(), 'Number of deliveries that this request queued.'),
  retried: described(count(), 'Number of pending deliveries that are attempted now.'),
  until: described(timestamp(), 'End of the time span that this request processed.'),
  next_since: described(
    nullable(timestamp()),
    '`since` of the next request, if more than 1,000 deliveries are missing or pending; else null.',
  ),
});
