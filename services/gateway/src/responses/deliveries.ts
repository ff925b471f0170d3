import { deliveryState, eventName } from './enumerations.ts';
import { dateTime, described, integer, listOf, maybe, named, number, text, uuid } from './shape.ts';

const attempt = named('DeliveryAttempt', {
  at: dateTime,
  status_code: described(maybe(integer), 'Status of the response; null if there was no response.'),
  error: described(
    maybe(text),
    'Why there was no response: `timeout`, `tls` or another reason of a handshake.',
  ),
  duration_ms: number,
});

export const delivery = named('Delivery', {
  id: described(uuid, 'The value of the header `X-Service-Delivery`.'),
  endpoint_id: uuid,
  order_id: uuid,
  event: eventName,
  sequence: described(
    maybe(integer),
    "The event's number in the endpoint's stream, from 1 without gaps. A replay has the number of the delivery that it repeats.",
  ),
  state: deliveryState,
  reason: described(maybe(text), 'Why the delivery ended, if not by an attempt.'),
  replay_of: described(maybe(uuid), 'The delivery that this one repeats; null if it repeats none.'),
  created_at: dateTime,
  due_at: described(
    maybe(dateTime),
    'When the next attempt is due; null when the delivery has ended.',
  ),
  attempts: listOf(attempt),
});

export const deliveryList = named('DeliveryList', {
  data: listOf(delivery),
  next_cursor: described(
    maybe(text),
    'Pass as `cursor` to get the next page; null on the last page.',
  ),
});

export const recovery = named('Recovery', {
  queued: described(integer, 'Number of deliveries that this request queued.'),
  until: described(dateTime, 'End of the time span that this request processed.'),
  next_since: {
    ...described(
      maybe(dateTime),
      '`since` of the next request, if more than 1,000 deliveries are missing; else null.',
    ),
    required: true,
  },
});
