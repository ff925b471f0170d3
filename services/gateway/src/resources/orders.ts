import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CreateOrderRequestSchema } from '@pto/proto/orders/v1/orders';
import { etaSources, incidentKinds, orderStatuses, severities, slas } from '@pto/proto/vocabulary';
import { boolean } from '../validation/numbers.ts';
import { count, number, openEnum, timestamp } from '../validation/response-only.ts';
import {
  described,
  list,
  maybe,
  model,
  type Output,
  optional,
  parameters,
} from '../validation/schema.ts';
import { choice, dateTime, string, toMillis, uuid } from '../validation/texts.ts';
import { evidenceJson, orderEvidence, requiredEvidence, temperatureLimits } from './evidence.ts';
import { location } from './locations.ts';
import { nextCursor, pageLimit } from './pages.ts';

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

/** An item in the request to create an order (contract 2.2). */
const itemCreate = model('OrderItemCreate', { goods_type: string({ min: 1, max: 100 }) });

/** The request to create an order (contract 2.2). */
export const orderCreate = model(
  'OrderCreate',
  {
    external_id: maybe(string({ min: 1, max: 100 })),
    pickup: endpoint,
    dropoff: endpoint,
    sla: optional(choice(slas, 'KnownSla'), 'STANDARD'),
    pickup_window_start: described(dateTime(), 'A time without an offset is UTC.'),
    pickup_window_end: maybe(dateTime()),
    notes: maybe(string({ max: 2000 })),
    pickup_detail: maybe(string({ max: 500 })),
    dropoff_detail: maybe(string({ max: 500 })),
    items: optional(list(itemCreate), []),
    goods_type: described(
      optional(string({ max: 100 }), ''),
      'Goods type of a single item; ignored if `items` has entries.',
    ),
    auto_dispatch: described(
      optional(boolean(), true),
      'false: the order stays a DRAFT until you submit it.',
    ),
    required_evidence: described(
      maybe(requiredEvidence),
      'How handovers must be confirmed before the order can go on.',
    ),
    ...temperatureLimits,
  },
  {
    member: {
      // the window may not end before it starts (decision 5)
      pickup_window_end: (end, { pickup_window_start: start }) =>
        end && start && end < start ? 'must not be before pickup_window_start' : undefined,
      temperature_max: (max, { temperature_min: min }) =>
        typeof max === 'number' && typeof min === 'number' && max < min
          ? 'must not be below temperature_min'
          : undefined,
    },
  },
);
type OrderCreate = Output<typeof orderCreate>;

/** Converts a partner's order into the RPC's request. The schema has set the defaults already. */
export const createOrderRequest = (
  organizationId: string,
  order: OrderCreate,
  keyed: { idempotencyKey: string; bodySha256: Uint8Array } | undefined,
): MessageInitShape<typeof CreateOrderRequestSchema> => ({
  organizationId,
  idempotency: keyed && {
    key: keyed.idempotencyKey,
    route: 'POST /orders',
    bodySha256: keyed.bodySha256,
  },
  externalId: order.external_id ?? undefined,
  pickup: stop(order.pickup),
  dropoff: stop(order.dropoff),
  sla: order.sla,
  pickupWindowStart: toMillis(order.pickup_window_start),
  pickupWindowEnd: order.pickup_window_end ? toMillis(order.pickup_window_end) : undefined,
  notes: order.notes ?? undefined,
  pickupDetail: order.pickup_detail ?? undefined,
  dropoffDetail: order.dropoff_detail ?? undefined,
  goodsTypes: goodsTypes(order),
  autoDispatch: order.auto_dispatch,
  requiredEvidenceJson: order.required_evidence ? evidenceJson(order.required_evidence) : undefined,
  temperatureMin: order.temperature_min ?? undefined,
  temperatureMax: order.temperature_max ?? undefined,
});

/**
 * Returns the goods type of each item. `goods_type` is a shorthand for one item; it counts only
 * without a list (decision 7).
 */
const goodsTypes = ({ items, goods_type }: OrderCreate): string[] =>
  items.length === 0 && goods_type !== '' ? [goods_type] : items.map((item) => item.goods_type);

const stop = ({ location_id, address, address_text }: Output<typeof endpoint>) => {
  if (location_id !== null) return { place: { case: 'locationId', value: location_id } as const };
  if (address_text !== null)
    return { place: { case: 'addressText', value: address_text } as const };
  const value = { ...address!, label: address!.label ?? undefined };
  return { place: { case: 'address', value } as const };
};

/** The query of a list of orders (contract 4.3). */
export const orderQuery = parameters({
  limit: pageLimit('orders'),
  cursor: described(optional(string()), '`next_cursor` of the previous page; opaque.'),
  status: described(
    optional(choice(orderStatuses, 'KnownOrderStatus')),
    'Only orders in this status.',
  ),
  external_id: described(optional(string()), 'Only the order with this reference.'),
  search: described(
    optional(string({ min: 3, max: 100 })),
    'Only orders with this part of a reference, in any case. A page may have fewer orders than `limit`, or none, and a `next_cursor` to older ones.',
  ),
  updated_since: described(optional(dateTime()), 'Only orders changed at this time or later.'),
});

export const orderPath = parameters({ order_id: described(uuid(), 'The `id` of the order.') });

/** The request to cancel an order (contract 4.5). */
export const orderCancel = model('OrderCancel', { reason: string({ min: 1, max: 500 }) });

/** Status of an order (contract 3.1). */
export const orderStatus = openEnum('OrderStatus', orderStatuses, 'Status of an order.');

/** Service level of an order (contract 2.1). */
const sla = openEnum('Sla', slas, 'Service level of an order.');

/** An item of an order (contract 2.1). */
const orderItem = model('OrderItem', {
  goods_type: string(),
  seal_id: described(maybe(string()), 'Seal of this item; null until the order is SEALED.'),
});

/** An incident that is not resolved (decision 88). */
const openIncident = model('OpenIncident', {
  entry: described(count(), 'The number of its entry in the custody history, from 1.'),
  kind: openEnum('IncidentKind', [...incidentKinds, 'escalation'], 'What an incident concerns.'),
  severity: openEnum('IncidentSeverity', severities, 'How grave an incident is.'),
});

/** An order (contract 2.1). `orderJson` of packages/representation writes the JSON. */
export const order = model('Order', {
  id: uuid(),
  external_id: described(maybe(string()), 'Your reference, unique in your organization.'),
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
  pickup_eta: described(
    maybe(timestamp()),
    'When the driver is expected at the pick-up, until the pick-up starts; as of `updated_at`, and no promise.',
  ),
  dropoff_eta: described(
    maybe(timestamp()),
    'When the goods are expected at the drop-off, until the delivery; null if nothing is known.',
  ),
  eta_source: described(
    maybe(openEnum('EtaSource', etaSources, 'How an expected time was found.')),
    'For the next stop: an `estimate` by distance and time of day, the word of the `driver`, or by a `router` from the driver’s position.',
  ),
  notes: maybe(string()),
  pickup_detail: maybe(string()),
  dropoff_detail: maybe(string()),
  items: optional(list(orderItem), []),
  price_total: described(
    maybe(number()),
    'Price with at most two decimals; null until the operator sets it.',
  ),
  cancel_reason: maybe(string()),
  required_evidence: described(maybe(orderEvidence), '`required_evidence` of the request.'),
  temperature_min: described(maybe(number()), '`temperature_min` of the request.'),
  temperature_max: described(maybe(number()), '`temperature_max` of the request.'),
  has_incident: described(
    optional(boolean(), false),
    'Whether an incident of the order was reported; its custody history has each one.',
  ),
  open_incidents: described(
    optional(list(openIncident), []),
    'Incidents and escalations that no later entry of the custody history resolved, oldest first.',
  ),
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
