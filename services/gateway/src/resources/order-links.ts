import { orderSides } from '@pto/access';
import { temperatureUnits } from '@pto/proto/vocabulary';
import { boolean, integer } from '../validation/numbers.ts';
import { count, number, openEnum, timestamp } from '../validation/response-only.ts';
import { described, list, maybe, model, optional, parameters } from '../validation/schema.ts';
import { choice, string, uuid } from '../validation/texts.ts';
import { orderStatus } from './orders.ts';

/** Bounds of a link's `expires_in`, in seconds: 5 min to 30 days. */
const [lastsMin, lastsMax] = [300, 30 * 86_400];

/** The request for a link that shows one order (decision 86). */
export const orderLinkCreate = model('OrderLinkCreate', {
  side: described(
    choice(orderSides, 'KnownOrderSide'),
    'Whose place and door note the page shows.',
  ),
  expires_in: described(
    optional(integer({ ge: lastsMin, le: lastsMax }), lastsMax),
    'Seconds from now to the end of the link.',
  ),
});

const side = openEnum('OrderSide', orderSides, 'Side of an order.');

const shared = {
  id: uuid(),
  side,
  created_at: timestamp(),
  expires_at: described(timestamp(), 'The link ends then, and 24 hours after the order’s end.'),
};

/** A new link. Only the response that creates it contains its URL. */
export const newOrderLink = model('NewOrderLink', {
  ...shared,
  url: described(
    string(),
    'Give it to the people of that side. What stands behind `#` is a secret.',
  ),
});

/** The links of an order that have not ended. */
export const orderLinks = list(
  model('OrderLink', {
    ...shared,
    views: described(count(), 'How often its page was opened.'),
    last_viewed_at: maybe(timestamp()),
  }),
);

export const orderLinkPath = parameters({
  order_id: described(uuid(), 'The `id` of the order.'),
  link_id: described(uuid(), 'The `id` of the link.'),
});

const readings = model('LinkedReadings', {
  from: timestamp(),
  to: timestamp(),
  minimum: number(),
  maximum: number(),
  unit: openEnum('TemperatureUnit', temperatureUnits, 'Unit of a temperature.'),
  within_limits: described(maybe(boolean()), 'null: the order has no limits.'),
});

/** What the page of a link shows. */
export const linkedOrder = model('LinkedOrder', {
  side,
  status: orderStatus,
  status_since: maybe(timestamp()),
  place: described(
    maybe(
      model('LinkedPlace', {
        ...{ label: string(), street: string(), zip: string(), city: string(), country: string() },
      }),
    ),
    'The place of this side.',
  ),
  time_zone: described(
    maybe(string()),
    'Time zone of the place, such as `Europe/Berlin`; null for a country with several.',
  ),
  detail: described(maybe(string()), 'The door note of this side.'),
  pickup_window_start: maybe(timestamp()),
  pickup_window_end: maybe(timestamp()),
  transport_organization: maybe(string()),
  driver: described(maybe(string()), 'Only between pick-up and delivery.'),
  temperature_min: maybe(number()),
  temperature_max: maybe(number()),
  readings: described(maybe(readings), 'The last recorded readings, in custody.'),
  has_certificate: described(boolean(), 'Whether `getOrderLinkCertificate` responds with one.'),
  expires_at: described(timestamp(), 'The end of the link, as far as it is known.'),
  as_of: timestamp(),
});
