import { orderStatuses, slas } from '@pto/proto/vocabulary';
import { type OrderText, orderFilters, orderTexts } from '../order-texts.ts';
import {
  boolean,
  choice,
  dateTime,
  described,
  list,
  maybe,
  model,
  number,
  type Optional,
  type Output,
  openEnum,
  optional,
  parameters,
  string,
  timestamp,
  uuid,
} from '../validation/index.ts';
import { location } from './locations.ts';
import { nextCursor, pageLimit } from './pages.ts';

type Texts = Record<keyof typeof orderTexts, Optional<string | null>>;

/** The texts of order-texts.ts in the request, with their lengths. */
const { external_id, ...details } = Object.fromEntries(
  Object.entries<OrderText>(orderTexts).map(([name, { min = 0, max }]) => [
    name,
    maybe(string({ ...(min > 0 && { min }), max })),
  ]),
) as Texts;

const textFilters = Object.fromEntries(
  Object.entries(orderFilters).map(([name, { description }]) => [
    name,
    described(optional(string()), description),
  ]),
) as Record<keyof typeof orderFilters, Optional<string | undefined>>;

/** An address (contract 2.2). */
const address = model('Address', {
  street: string({ min: 1, max: 255 }),
  zip: string({ min: 1, max: 20 }),
  city: string({ min: 1, max: 100 }),
  country: optional(string({ max: 10 }), 'DE'),
  label: maybe(string({ max: 120 })),
});

const variants = ['location_id', 'address', 'address_text'] as const;

/**
 * An end of the transport (contract 2.2): exactly one of the three members. Null counts as absent
 * (decision 3).
 */
const endpoint = described(
  model(
    'Endpoint',
    {
      location_id: maybe(uuid()),
      address: maybe(address),
      address_text: maybe(string({ min: 3, max: 500 })),
    },
    {
      whole: (value, input) => {
        const given = variants.filter((name) => value[name] !== null);
        if (given.length !== 1)
          input.reject('value_error', `Value error, give exactly one of ${variants.join(', ')}`, {
            given,
          });
      },
    },
  ),
  // no `oneOf`: client generators omit the members of a schema that has `oneOf` besides
  // `properties`
  `Exactly one of ${variants.map((name) => `\`${name}\``).join(', ')}; null counts as absent.`,
);
export type Endpoint = Output<typeof endpoint>;

/** An item in the request to create an order (contract 2.2). */
const itemCreate = model('OrderItemCreate', { goods_type: string({ min: 1, max: 100 }) });

/** The request to create an order (contract 2.2). */
export const orderCreate = model(
  'OrderCreate',
  {
    external_id,
    pickup: endpoint,
    dropoff: endpoint,
    sla: optional(choice(slas, 'KnownSla'), 'STANDARD'),
    pickup_window_start: described(dateTime(), 'A time without an offset is UTC.'),
    pickup_window_end: maybe(dateTime()),
    ...details,
    items: optional(list(itemCreate), []),
    goods_type: described(
      optional(string({ max: 100 }), ''),
      'Goods type of a single item; ignored if `items` has entries.',
    ),
    auto_dispatch: described(
      optional(boolean(), true),
      'false: the order stays a DRAFT until you submit it.',
    ),
  },
  {
    member: {
      // the window may not end before it starts (decision 5)
      pickup_window_end: (end, { pickup_window_start: start }) =>
        end && start && end.micros < start.micros
          ? 'must not be before pickup_window_start'
          : undefined,
    },
  },
);
export type OrderCreate = Output<typeof orderCreate>;

/** The query of a list of orders (contract 4.3). */
export const orderQuery = parameters({
  limit: pageLimit('orders'),
  cursor: described(optional(string()), '`next_cursor` of the previous page; opaque.'),
  status: described(
    optional(choice(orderStatuses, 'KnownOrderStatus')),
    'Only orders in this status.',
  ),
  ...textFilters,
  updated_since: described(optional(dateTime()), 'Only orders changed at this time or later.'),
});

export const orderPath = parameters({ order_id: described(uuid(), 'The `id` of the order.') });

/** The request to cancel an order (contract 4.5). */
export const orderCancel = model('OrderCancel', { reason: string({ min: 1, max: 500 }) });

/** Status of an order (contract 3.1). */
const orderStatus = openEnum('OrderStatus', orderStatuses, 'Status of an order.');

/** Service level of an order (contract 2.1). */
const sla = openEnum('Sla', slas, 'Service level of an order.');

/** An item of an order (contract 2.1). */
const orderItem = model('OrderItem', {
  goods_type: string(),
  seal_id: described(maybe(string()), 'Seal of this item; null until the order is SEALED.'),
});

/** The texts of order-texts.ts in a response, with their descriptions. */
const { external_id: shownExternalId, ...shownDetails } = Object.fromEntries(
  Object.entries<OrderText>(orderTexts).map(([name, { description }]) => [
    name,
    description === undefined ? maybe(string()) : described(maybe(string()), description),
  ]),
) as Texts;

/** An order (contract 2.1). `orderJson` of packages/representation writes the JSON. */
export const order = model('Order', {
  id: uuid(),
  external_id: shownExternalId,
  status: orderStatus,
  sla,
  source: described(
    maybe(string()),
    'Origin of the order; `partner_api` for orders created by this API.',
  ),
  pickup_location: maybe(location),
  dropoff_location: maybe(location),
  dropoff_address_text: described(
    maybe(string()),
    '`address_text` of the request; null if the request had another variant.',
  ),
  pickup_window_start: maybe(timestamp()),
  pickup_window_end: maybe(timestamp()),
  ...shownDetails,
  items: optional(list(orderItem), []),
  price_total: described(
    maybe(number()),
    'Price with at most two decimals; null until the operator sets it.',
  ),
  cancel_reason: maybe(string()),
  created_at: timestamp(),
  updated_at: maybe(timestamp()),
});

/** A page of orders (contract 2.1). `listed` in routes/orders.ts writes the JSON. */
export const orderList = model('OrderList', {
  data: list(order),
  next_cursor: nextCursor,
  as_of: described(
    maybe(timestamp()),
    'Set on the first page of a list by `updated_since`: pass it as `updated_since` next time to receive every later change.',
  ),
});
