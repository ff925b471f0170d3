import { deliveryStates, eventNames } from '@pto/proto/vocabulary';
import {
  choice,
  dateTime,
  described,
  integer,
  model,
  nullable,
  optional,
  uuid,
} from '../../validation/index.ts';
import { endpointId } from './webhook-schemas.ts';

export const deliveryQuery = model({
  limit: described(
    optional(integer({ ge: 1, le: 100 }), 50),
    'Maximum number of deliveries in the page.',
  ),
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

export const deliveryPath = model({
  endpoint_id: endpointId,
  delivery_id: described(uuid(), 'The `id` of the delivery.'),
});

export const recover = model(
  {
    since: described(dateTime(), 'Start of the time span; events are stored for 30 days.'),
    until: described(
      optional(nullable(dateTime()), null),
      'End of the time span; null or absent: now.',
    ),
  },
  {
    member: {
      until: (until, { since }) =>
        until && since && until.micros <= since.micros ? 'must be after since' : undefined,
    },
  },
  { title: 'RecoverRequest' },
);
