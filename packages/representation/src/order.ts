import type { Order } from '@pto/proto/orders/v1/orders';
import { locationJson } from './location.ts';

/**
 * Returns an order as partners see it (contract 2.1). The gateway sends this form, and orders
 * stores it as the response to a creation (decision 24).
 */
export const orderJson = (order: Order) => ({
  id: order.id,
  external_id: order.externalId ?? null,
  status: order.status,
  sla: order.sla,
  source: order.source,
  pickup_location: order.pickupLocation ? locationJson(order.pickupLocation) : null,
  dropoff_location: order.dropoffLocation ? locationJson(order.dropoffLocation) : null,
  dropoff_address_text: order.dropoffAddressText ?? null,
  pickup_window_start: order.pickupWindowStart || null,
  pickup_window_end: order.pickupWindowEnd ?? null,
  notes: order.notes ?? null,
  pickup_detail: order.pickupDetail ?? null,
  dropoff_detail: order.dropoffDetail ?? null,
  items: order.items.map((item) => ({
    goods_type: item.goodsType,
    seal_id: item.sealId ?? null,
  })),
  // at most 12 digits, so the number has exactly the stored decimal's value (decision 10)
  price_total: order.priceTotal === undefined ? null : Number(order.priceTotal),
  cancel_reason: order.cancelReason ?? null,
  created_at: order.createdAt,
  updated_at: order.updatedAt,
});

const noItems = '"items":[]';

/**
 * Returns the order as JSON text, with items that are JSON already. They replace the empty array
 * `"items":[]`; no other text can look like it, because a quotation mark inside of a text is
 * escaped.
 * @param order without its items.
 * @param itemsJson a JSON array, as `orderJson` renders items.
 */
export const orderText = (order: Order, itemsJson: string): string => {
  const text = JSON.stringify(orderJson(order));
  const at = text.indexOf(noItems);
  return `${text.slice(0, at)}"items":${itemsJson}${text.slice(at + noItems.length)}`;
};
