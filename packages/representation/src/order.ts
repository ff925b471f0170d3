import type { Location } from '@pto/proto/orders/v1/locations';
import type { Order } from '@pto/proto/orders/v1/orders';

type Values = Omit<
  Order,
  '$typeName' | '$unknown' | 'items' | 'pickupLocation' | 'dropoffLocation'
>;

/**
 * The members of an order without its items and locations. An absent value is undefined, as in a
 * message, or null, as in a row.
 */
export type OrderFields = {
  readonly [Name in keyof Values]: undefined extends Values[Name]
    ? Values[Name] | null
    : Values[Name];
};

/** Returns a location as partners see it (contract 2.3). */
export const locationJson = (location: Location) => ({
  id: location.id,
  label: location.label,
  street: location.street,
  zip: location.zip,
  city: location.city,
  country: location.country,
  lat: location.lat ?? null,
  lng: location.lng ?? null,
  created_via_api: location.createdViaApi,
  created_at: location.createdAt,
});

/**
 * Returns an order as partners see it (contract 2.1). The gateway sends this form, and orders
 * stores it as the response to a creation (decision 24).
 */
export const orderJson = (order: Order) => {
  const { pickupLocation, dropoffLocation, items } = order;
  return orderMembers(
    order,
    pickupLocation ? locationJson(pickupLocation) : null,
    dropoffLocation ? locationJson(dropoffLocation) : null,
    items.map((item) => ({ goods_type: item.goodsType, seal_id: item.sealId ?? null })),
  );
};

const orderMembers = <Place, Item>(
  order: OrderFields,
  pickup: Place,
  dropoff: Place,
  items: Item[],
) => ({
  id: order.id,
  external_id: order.externalId ?? null,
  status: order.status,
  sla: order.sla,
  source: order.source,
  pickup_location: pickup,
  dropoff_location: dropoff,
  dropoff_address_text: order.dropoffAddressText ?? null,
  pickup_window_start: order.pickupWindowStart || null,
  pickup_window_end: order.pickupWindowEnd ?? null,
  pickup_eta: order.pickupEta ?? null,
  dropoff_eta: order.dropoffEta ?? null,
  eta_source: order.etaSource ?? null,
  notes: order.notes ?? null,
  pickup_detail: order.pickupDetail ?? null,
  dropoff_detail: order.dropoffDetail ?? null,
  items,
  // at most 12 digits, so the number has exactly the stored decimal's value (decision 10)
  price_total: typeof order.priceTotal === 'string' ? Number(order.priceTotal) : null,
  cancel_reason: order.cancelReason ?? null,
  required_evidence:
    typeof order.requiredEvidenceJson === 'string' ? JSON.parse(order.requiredEvidenceJson) : null,
  temperature_min: typeof order.temperatureMin === 'string' ? Number(order.temperatureMin) : null,
  temperature_max: typeof order.temperatureMax === 'string' ? Number(order.temperatureMax) : null,
  has_incident: order.hasIncident,
  open_incidents:
    typeof order.openIncidentsJson === 'string' ? JSON.parse(order.openIncidentsJson) : [],
  created_at: order.createdAt,
  updated_at: order.updatedAt,
});

/** The members of an order that are JSON text already, in the form that partners see. */
export interface OrderParts {
  /** A location, or `null`. */
  readonly pickup: string;
  readonly dropoff: string;
  /** An array. */
  readonly items: string;
}

const noLocations = '"pickup_location":null,"dropoff_location":null';
const noItems = '"items":[]';

/** Returns the order as JSON text: the bytes of `orderJson`. */
export const orderText = (order: OrderFields, parts: OrderParts): string => {
  const { before, after } = around(order, parts);
  return before + parts.items + after;
};

/** An order of fewer characters is made as one text, which then takes less time. */
const largeText = 16 * 1024;

/**
 * Returns the UTF-8 bytes of `orderText`. The text of a large order is never made: the bytes are
 * made of its parts, because joining 13,500 items with the rest would copy them once more.
 */
export const orderBytes = (order: OrderFields, parts: OrderParts): Buffer => {
  if (parts.items.length < largeText) return Buffer.from(orderText(order, parts));
  const { before, after } = around(order, parts);
  const texts = [before, parts.items, after];
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
  let at = 0;
  for (const text of texts) at += bytes.write(text, at);
  return bytes;
};

/**
 * Returns the order's JSON before and after its items. The parts replace two nulls and an empty
 * array. No other text can look like these, because a quotation mark inside of a text is escaped,
 * and the quotation mark that ends a text is never followed by a name.
 */
const around = (order: OrderFields, { pickup, dropoff }: OrderParts) => {
  const text = JSON.stringify(orderMembers(order, null, null, []));
  const locationsAt = text.indexOf(noLocations);
  const afterLocations = locationsAt + noLocations.length;
  const itemsAt = text.indexOf(noItems, afterLocations);
  return {
    before: `${text.slice(0, locationsAt)}"pickup_location":${pickup},"dropoff_location":${dropoff}${text.slice(afterLocations, itemsAt)}"items":`,
    after: text.slice(itemsAt + noItems.length),
  };
};
