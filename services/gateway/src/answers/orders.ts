import { eventNames, orderStatuses, slas } from '@pto/proto/vocabulary';
import { location } from './locations.ts';
import {
  anyObject,
  byDefault,
  choice,
  dateTime,
  described,
  listOf,
  maybe,
  named,
  number,
  text,
  uuid,
} from './shape.ts';

/** Contract 2.1. */
const orderItem = named('OrderItem', {
  goods_type: text,
  seal_id: described(maybe(text), 'The seal that was put on it; null until the order is SEALED.'),
});

/** Contract 2.1. */
export const order = named('Order', {
  id: uuid,
  external_id: described(maybe(text), "The partner's own reference, unique in the organisation."),
  status: choice(orderStatuses),
  sla: choice(slas),
  source: described(maybe(text), '`partner_api` for orders that were made here.'),
  pickup_location: maybe(location),
  dropoff_location: maybe(location),
  dropoff_address_text: described(maybe(text), 'The `address_text` that was given, if it was.'),
  pickup_window_start: maybe(dateTime),
  pickup_window_end: maybe(dateTime),
  notes: maybe(text),
  pickup_detail: maybe(text),
  dropoff_detail: maybe(text),
  items: byDefault(listOf(orderItem), []),
  price_total: described(maybe(number), 'At most two decimals; null until a price is set.'),
  cancel_reason: maybe(text),
  created_at: dateTime,
  updated_at: maybe(dateTime),
});

/** Contract 2.1. */
export const orderList = named('OrderList', {
  data: listOf(order),
  next_cursor: described(maybe(text), 'For `cursor` of the next request; null on the last page.'),
  as_of: described(
    maybe(dateTime),
    'On the first page of a list by `updated_since`: give it as `updated_since` the next time, and no change is missed.',
  ),
});

/** Contract 2.4. Of `internal_type` readers ignore what they do not know (decision 29). */
export const orderEvent = named('OrderEvent', {
  id: uuid,
  type: choice(eventNames.filter((name) => name !== 'order.test')),
  internal_type: described(text, 'What happened in finer words; more of them may come.'),
  ts_utc: dateTime,
  gps_lat: maybe(number),
  gps_lng: maybe(number),
  payload: maybe(anyObject),
  prev_event_hash: described(text, '`event_hash` of the entry before; of the first, the genesis.'),
  event_hash: described(
    text,
    'hex(SHA-256) of the RFC 8785 form of `v` ("custody-event/1"), `order_id` and all other members of the entry.',
  ),
});
