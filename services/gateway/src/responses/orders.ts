import { type OrderText, orderTexts } from '../order-texts.ts';
import { orderStatus, sla } from './enumerations.ts';
import { location } from './locations.ts';
import {
  byDefault,
  dateTime,
  described,
  listOf,
  maybe,
  named,
  number,
  type Shape,
  text,
  uuid,
} from './shape.ts';

/** An item of an order (contract 2.1). */
const orderItem = named('OrderItem', {
  goods_type: text,
  seal_id: described(maybe(text), 'Seal of this item; null until the order is SEALED.'),
});

const { external_id, ...details } = Object.fromEntries(
  Object.entries<OrderText>(orderTexts).map(([name, { description }]) => [
    name,
    description === undefined ? maybe(text) : described(maybe(text), description),
  ]),
) as Record<keyof typeof orderTexts, Shape<string | null>>;

/** An order (contract 2.1). `orderJson` of packages/representation writes the JSON. */
export const order = named('Order', {
  id: uuid,
  external_id,
  status: orderStatus,
  sla,
  source: described(
    maybe(text),
    'Origin of the order; `partner_api` for orders created by this API.',
  ),
  pickup_location: maybe(location),
  dropoff_location: maybe(location),
  dropoff_address_text: described(
    maybe(text),
    '`address_text` of the request; null if the request had another variant.',
  ),
  pickup_window_start: maybe(dateTime),
  pickup_window_end: maybe(dateTime),
  ...details,
  items: byDefault(listOf(orderItem), []),
  price_total: described(
    maybe(number),
    'Price with at most two decimals; null until the operator sets it.',
  ),
  cancel_reason: maybe(text),
  created_at: dateTime,
  updated_at: maybe(dateTime),
});

/** A page of orders (contract 2.1). `listed` in routes/orders.ts writes the JSON. */
export const orderList = named('OrderList', {
  data: listOf(order),
  next_cursor: described(
    maybe(text),
    'Pass as `cursor` to get the next page; null on the last page.',
  ),
  as_of: described(
    maybe(dateTime),
    'Set on the first page of a list by `updated_since`: pass it as `updated_since` next time to receive every later change.',
  ),
});
