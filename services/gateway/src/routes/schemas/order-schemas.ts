import { orderStatuses, slas } from '@pto/proto/vocabulary';
import { type OrderText, orderFilters, orderTexts } from '../../order-texts.ts';
import {
  boolean,
  choice,
  dateTime,
  described,
  integer,
  list,
  model,
  nullable,
  type Optional,
  type Output,
  optional,
  string,
  uuid,
} from '../../validation/index.ts';

/** Text of at most `max` characters, or null; an absent member counts as null. */
const text = (max: number, min?: number) =>
  optional(nullable(string({ max, ...(min !== undefined && { min }) })), null);

/** `details`: the texts with the lengths of order-texts.ts. */
const { external_id, ...details } = Object.fromEntries(
  Object.entries<OrderText>(orderTexts).map(([name, { max, min }]) => [name, text(max, min)]),
) as Record<keyof typeof orderTexts, ReturnType<typeof text>>;

const textFilters = Object.fromEntries(
  Object.entries(orderFilters).map(([name, { description }]) => [
    name,
    described(optional(string()), description),
  ]),
) as Record<keyof typeof orderFilters, Optional<string | undefined>>;

/** An address (contract 2.2). */
const address = model(
  {
    street: string({ min: 1, max: 255 }),
    zip: string({ min: 1, max: 20 }),
    city: string({ min: 1, max: 100 }),
    country: optional(string({ max: 10 }), 'DE'),
    label: text(120),
  },
  {},
  { title: 'Address' },
);

const variants = ['location_id', 'address', 'address_text'] as const;

/**
 * An end of the transport (contract 2.2): exactly one of the three members. Null counts as absent
 * (decision 3).
 */
const endpoint = model(
  {
    location_id: optional(nullable(uuid()), null),
    address: optional(nullable(address), null),
    address_text: text(500, 3),
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
  {
    title: 'Endpoint',
    // no `oneOf`: client generators omit the members of a schema that has `oneOf` besides
    // `properties`
    description: `Exactly one of ${variants.map((name) => `\`${name}\``).join(', ')}; null counts as absent.`,
  },
);
export type Endpoint = Output<typeof endpoint>;

/** An item in the request to create an order (contract 2.2). */
const itemCreate = model(
  { goods_type: string({ min: 1, max: 100 }) },
  {},
  { title: 'OrderItemCreate' },
);

/** The request to create an order (contract 2.2). */
export const orderCreate = model(
  {
    external_id,
    pickup: endpoint,
    dropoff: endpoint,
    sla: optional(choice(slas, 'KnownSla'), 'STANDARD'),
    pickup_window_start: described(dateTime(), 'A time without an offset is UTC.'),
    pickup_window_end: optional(nullable(dateTime()), null),
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
  { title: 'OrderCreate' },
);
export type OrderCreate = Output<typeof orderCreate>;

/** The query of a list of orders (contract 4.3). */
export const orderQuery = model({
  limit: described(
    optional(integer({ ge: 1, le: 100 }), 50),
    'Maximum number of orders in the page.',
  ),
  cursor: described(optional(string()), '`next_cursor` of the previous page; opaque.'),
  status: described(
    optional(choice(orderStatuses, 'KnownOrderStatus')),
    'Only orders in this status.',
  ),
  ...textFilters,
  updated_since: described(optional(dateTime()), 'Only orders changed at this time or later.'),
});

export const orderPath = model({ order_id: described(uuid(), 'The `id` of the order.') });

/** The request to cancel an order (contract 4.5). */
export const orderCancel = model(
  { reason: string({ min: 1, max: 500 }) },
  {},
  { title: 'OrderCancel' },
);
