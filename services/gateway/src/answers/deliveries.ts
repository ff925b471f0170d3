import { eventNames } from '@pto/proto/vocabulary';
import {
  choice,
  dateTime,
  described,
  integer,
  listOf,
  maybe,
  named,
  number,
  text,
  uuid,
} from './shape.ts';

export const deliveryStates = ['PENDING', 'DELIVERED', 'EXHAUSTED'] as const;

const attempt = named('DeliveryAttempt', {
  at: dateTime,
  status_code: described(maybe(integer), "The receiver's answer; null where there was none."),
  error: described(maybe(text), 'Why there was no answer, as a class: `timeout`, `tls` …'),
  duration_ms: number,
});

export const delivery = named('Delivery', {
  id: described(uuid, 'What the receiver sees as `X-Service-Delivery`.'),
  endpoint_id: uuid,
  order_id: uuid,
  event: choice(eventNames),
  sequence: described(
    maybe(integer),
    "The event's number in the endpoint's own stream, from 1 and without gaps; a replay has that of the delivery that it repeats.",
  ),
  state: choice(deliveryStates),
  reason: described(maybe(text), 'Why it ended, where that was not an attempt’s doing.'),
  replay_of: described(maybe(uuid), 'The delivery that this one repeats.'),
  created_at: dateTime,
  due_at: described(maybe(dateTime), 'When the next attempt is due; null when it has ended.'),
  attempts: listOf(attempt),
});

export const deliveryList = named('DeliveryList', {
  data: listOf(delivery),
  next_cursor: described(maybe(text), 'For `cursor` of the next request; null on the last page.'),
});

export const recovery = named('Recovery', {
  queued: described(integer, 'How many deliveries were queued now.'),
  until: described(dateTime, 'Up to when everything was looked at.'),
  next_since: described(
    maybe(dateTime),
    'Where more was missed than one request queues (1,000): the `since` to go on with.',
  ),
});
