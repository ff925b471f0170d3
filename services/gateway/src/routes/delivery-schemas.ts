import { eventNames } from '@pto/proto/vocabulary';
import { deliveryStates } from '../answers/deliveries.ts';
import {
  choice,
  dateTime,
  described,
  integer,
  model,
  nullable,
  optional,
  uuid,
} from '../validation/index.ts';
import { endpointId } from './webhook-schemas.ts';

export const deliveryQuery = model({
  limit: described(optional(integer({ ge: 1, le: 100 }), 50), 'How many deliveries at most.'),
  cursor: described(optional(uuid()), '`next_cursor` of the answer before.'),
  state: described(optional(choice(deliveryStates)), 'Only deliveries in this state.'),
  event: described(optional(choice(eventNames)), 'Only deliveries of this event.'),
  order_id: described(optional(uuid()), 'Only deliveries about this order.'),
});

export const deliveryPath = model({
  endpoint_id: endpointId,
  delivery_id: described(uuid(), 'The `id` of the delivery.'),
});

export const recover = model(
  {
    since: described(dateTime(), 'From when on; at most 30 days are kept.'),
    until: described(optional(nullable(dateTime()), null), 'Up to when; null: now.'),
  },
  {
    member: {
      until: (until, { since }) =>
        until && since && until.micros <= since.micros ? 'must be after since' : undefined,
    },
  },
  { title: 'RecoverRequest' },
);
