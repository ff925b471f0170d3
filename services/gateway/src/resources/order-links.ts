import { orderSides } from '@pto/access';
import { integer } from '../validation/numbers.ts';
import { count, openEnum, timestamp } from '../validation/response-only.ts';
import { described, list, maybe, model, optional, parameters } from '../validation/schema.ts';
import { choice, string, uuid } from '../validation/texts.ts';

/** Bounds of a link's `expires_in`, in seconds: 5 min to 30 days. */
const [lastsMin, lastsMax] = [300, 30 * 86_400];

/** The request for a link that shows one order (decision 86). */
export const orderLinkCreate = model('OrderLinkCreate', {
  side: described(
    choice(orderSides, 'KnownOrderSide'),
    'Whose place and access note the page shows.',
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
