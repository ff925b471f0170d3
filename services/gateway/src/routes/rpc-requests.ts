import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CreateOrderRequestSchema } from '@pto/proto/orders/v1/orders';
import { orderTexts } from '../order-texts.ts';
import type { Endpoint, OrderCreate } from '../resources/orders.ts';

/** Converts a partner's order into the RPC's request. The schema has set the defaults already. */
export const createOrderRequest = (
  organizationId: string,
  order: OrderCreate,
  idempotency: { key: string; route: string; bodySha256: Uint8Array } | undefined,
): MessageInitShape<typeof CreateOrderRequestSchema> => ({
  organizationId,
  pickup: stop(order.pickup),
  dropoff: stop(order.dropoff),
  sla: order.sla,
  pickupWindowStart: order.pickup_window_start.millisText,
  goodsTypes: goodsTypes(order),
  autoDispatch: order.auto_dispatch,
  ...given('idempotency', idempotency),
  ...given('pickupWindowEnd', order.pickup_window_end?.millisText),
  ...fieldsOf(orderTexts, order),
});

/**
 * Returns the goods type of each item. `goods_type` is a shorthand for one item; it counts only
 * without a list (decision 7).
 */
const goodsTypes = ({ items, goods_type }: OrderCreate): string[] =>
  items.length === 0 && goods_type !== '' ? [goods_type] : items.map((item) => item.goods_type);

const stop = ({ location_id, address, address_text }: Endpoint) => {
  if (location_id !== null) return { place: { case: 'locationId', value: location_id } as const };
  if (address_text !== null)
    return { place: { case: 'addressText', value: address_text } as const };
  const { label, ...rest } = address!;
  return { place: { case: 'address', value: { ...rest, ...given('label', label) } } as const };
};

/**
 * Returns an object with this field. A value that is null or undefined gets no field: Protobuf has
 * no null.
 */
export const given = <K extends string, V>(name: K, value: V | null | undefined) =>
  (value === null || value === undefined ? {} : { [name]: value }) as { [k in K]?: V };

type Table = Readonly<Record<string, { readonly field: string }>>;

/** Returns the fields that a table of names (order-texts.ts) gives to these texts. */
export const fieldsOf = <T extends Table>(
  table: T,
  values: { readonly [Name in keyof T]?: string | null | undefined },
) => {
  const fields = Object.entries(table).map(([name, { field }]) => given(field, values[name]));
  return Object.assign({}, ...fields) as { [Name in keyof T as T[Name]['field']]?: string };
};
