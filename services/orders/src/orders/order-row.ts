import { create } from '@bufbuild/protobuf';
import { fragment, isoMillis } from '@pto/database';
import { type Order, OrderItemSchema, OrderSchema } from '@pto/proto/orders/v1/orders';
import { orderText } from '@pto/representation';
import { type LocationRow, locationObject, toLocation } from '../locations/location-row.ts';
import { type Rows, tables } from '../schema/tables.ts';
import { readItems } from './items.ts';
import { itemsJson } from './items-sql.ts';
import { textColumns, textsOfRow } from './request-fields.ts';

/** The columns of `orders` from which an order's message is made, without its items. */
const columns = [
  'id',
  'organization_id',
  'status',
  'sla',
  'source',
  'dropoff_address_text',
  'pickup_window_start',
  'pickup_window_end',
  'price_total',
  'cancel_reason',
  'transport_organization',
  'driver',
  'custody_fault',
  'sequence',
  'created_at',
  'updated_at',
  ...textColumns,
] as const;

export interface OrderRow extends Pick<Rows['orders'], (typeof columns)[number]> {
  readonly pickup: LocationRow;
  readonly dropoff: LocationRow;
  /** The items as a JSON array, in the form that partners see. */
  readonly items: string;
}

const located = tables
  .selectFrom('orders as o')
  .innerJoin('locations as p', 'p.id', 'o.pickup_location_id')
  .innerJoin('locations as d', 'd.id', 'o.dropoff_location_id')
  .select(columns.map((column) => `o.${column}` as const))
  .select([locationObject('p').as('pickup'), locationObject('d').as('dropoff')]);

/** Selects orders `o` with their locations and items. */
export const orderRows = located.select(itemsJson.as('items'));

/** Selects orders `o` with their locations; the array of items is empty. */
export const orderRowsWithoutItems = located.select(fragment<string>`'[]'`.as('items'));

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
      ...textsOfRow(row),
      dropoffAddressText: row.dropoff_address_text,
      pickupWindowEnd: row.pickup_window_end && isoMillis(row.pickup_window_end),
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
