import { create } from '@bufbuild/protobuf';
import { isoMillis, type Sql } from '@pto/database';
import { type Order, OrderItemSchema, OrderSchema } from '@pto/proto/orders/v1/orders';
import { orderText } from '@pto/representation';
import { type LocationRow, toLocation } from '../locations/location-row.ts';
import type { Rows } from '../schema/tables.ts';
import { readItems } from './items.ts';
import { itemsJson } from './items-sql.ts';

type Plain =
  | 'id'
  | 'organization_id'
  | 'external_id'
  | 'status'
  | 'sla'
  | 'source'
  | 'dropoff_address_text'
  | 'pickup_window_start'
  | 'pickup_window_end'
  | 'notes'
  | 'pickup_detail'
  | 'dropoff_detail'
  | 'price_total'
  | 'cancel_reason'
  | 'transport_organization'
  | 'driver'
  | 'custody_fault'
  | 'sequence'
  | 'created_at'
  | 'updated_at';

export interface OrderRow extends Pick<Rows['orders'], Plain> {
  readonly pickup: LocationRow;
  readonly dropoff: LocationRow;
  /** The items as a JSON array, in the form that partners see. */
  readonly items: string;
}

/**
 * Returns SQL for a location as JSON. The time is cast to text, because JSON would write it in
 * another format than the driver does.
 */
export const locationObject = (alias: string): string =>
  `json_build_object('id', ${alias}.id, 'label', ${alias}.label, 'street', ${alias}.street,
    'zip', ${alias}.zip, 'city', ${alias}.city, 'country', ${alias}.country, 'lat', ${alias}.lat,
    'lng', ${alias}.lng, 'created_via_api', ${alias}.created_via_api,
    'created_at', ${alias}.created_at::text)`;

const columnsOf = (
  items: string,
): string => `o.id, o.organization_id, o.external_id, o.status, o.sla, o.source, o.dropoff_address_text,
    o.pickup_window_start, o.pickup_window_end, o.notes, o.pickup_detail, o.dropoff_detail,
    o.price_total::text, o.cancel_reason, o.transport_organization, o.driver, o.custody_fault,
    o.sequence,
    o.created_at, o.updated_at,
    ${locationObject('p')} as pickup, ${locationObject('d')} as dropoff,
    ${items} as items`;

/** SQL columns of an OrderRow, selected from `orderTables`. */
export const orderColumns = columnsOf(itemsJson);
const columnsWithoutItems = columnsOf("'[]'");

export const orderTables = `orders o
  join locations p on p.id = o.pickup_location_id
  join locations d on d.id = o.dropoff_location_id`;

/**
 * Reads orders with their locations, and items unless `items` is false.
 * @param rest the statement from WHERE on, over `orders o`.
 */
export const selectOrders = async (
  sql: Sql,
  rest: string,
  parameters: readonly unknown[],
  items = true,
): Promise<StoredOrder[]> => {
  const columns = items ? orderColumns : columnsWithoutItems;
  const rows = await sql.query<OrderRow>(
    `select ${columns} from ${orderTables} ${rest}`,
    parameters,
  );
  return rows.map(toStored);
};

/**
 * An order as the database returns it. PostgreSQL renders the items, because there can be
 * thousands.
 */
export interface StoredOrder {
  /** The order as a message without its items. */
  readonly order: Order;
  /** The items as a JSON array, in the form that partners see. */
  readonly itemsJson: string;
  /** Time of creation with microseconds, as PostgreSQL prints it. */
  readonly createdAtMicros: string;
}

export const toStored = (row: OrderRow): StoredOrder => ({
  order: toOrder(row),
  itemsJson: row.items,
  createdAtMicros: row.created_at,
});

const toOrder = (row: OrderRow): Order =>
  create(OrderSchema, {
    id: row.id,
    organizationId: row.organization_id,
    status: row.status,
    sla: row.sla,
    source: row.source,
    pickupLocation: toLocation(row.pickup),
    dropoffLocation: toLocation(row.dropoff),
    pickupWindowStart: isoMillis(row.pickup_window_start),
    createdAt: isoMillis(row.created_at),
    updatedAt: isoMillis(row.updated_at),
    sequence: row.sequence,
    ...present({
      externalId: row.external_id,
      dropoffAddressText: row.dropoff_address_text,
      pickupWindowEnd: row.pickup_window_end && isoMillis(row.pickup_window_end),
      notes: row.notes,
      pickupDetail: row.pickup_detail,
      dropoffDetail: row.dropoff_detail,
      priceTotal: row.price_total,
      cancelReason: row.cancel_reason,
      transportOrganization: row.transport_organization,
      driver: row.driver,
      custodyFault: row.custody_fault,
    }),
  });

/** Returns the order's JSON for partners, in UTF-8. */
export const toBody = ({ order, itemsJson }: StoredOrder): Buffer =>
  Buffer.from(orderText(order, itemsJson));

/** Returns the order as a message with its items. */
export const withItems = ({ order, itemsJson }: StoredOrder): Order => {
  return {
    ...order,
    items: readItems(itemsJson).map(({ goods_type: goodsType, seal_id: sealId }) =>
      create(OrderItemSchema, { goodsType, ...present({ sealId }) }),
    ),
  };
};

/** Returns the members that are not null. */
const present = <T extends Record<string, string | null>>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: string;
  };
