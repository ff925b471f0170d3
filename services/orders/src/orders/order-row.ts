import { create } from '@bufbuild/protobuf';
import { isoMillis, type Sql } from '@pto/database';
import { type Order, OrderSchema } from '@pto/proto/orders/v1/orders';
import { type LocationRow, toLocation } from '../locations/location-row.ts';

export interface OrderRow {
  readonly id: string;
  readonly organization_id: string;
  readonly external_id: string | null;
  readonly status: string;
  readonly sla: string;
  readonly source: string;
  readonly dropoff_address_text: string | null;
  readonly pickup_window_start: string;
  readonly pickup_window_end: string | null;
  readonly notes: string | null;
  readonly pickup_detail: string | null;
  readonly dropoff_detail: string | null;
  readonly price_total: string | null;
  readonly cancel_reason: string | null;
  readonly transport_organization: string | null;
  readonly driver: string | null;
  readonly custody_fault: string | null;
  readonly sequence: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly pickup: LocationRow;
  readonly dropoff: LocationRow;
  readonly items: readonly { goods_type: string; seal_id: string | null }[];
}

/** jsonb would turn timestamps into another form, so the location's is spelled as the driver's. */
const locationObject = (alias: string): string =>
  `json_build_object('id', ${alias}.id, 'label', ${alias}.label, 'street', ${alias}.street,
    'zip', ${alias}.zip, 'city', ${alias}.city, 'country', ${alias}.country, 'lat', ${alias}.lat,
    'lng', ${alias}.lng, 'created_via_api', ${alias}.created_via_api,
    'created_at', ${alias}.created_at::text)`;

/** An OrderRow's columns, from `orderTables`. */
export const orderColumns = `o.id, o.organization_id, o.external_id, o.status, o.sla, o.source, o.dropoff_address_text,
    o.pickup_window_start, o.pickup_window_end, o.notes, o.pickup_detail, o.dropoff_detail,
    o.price_total::text, o.cancel_reason, o.transport_organization, o.driver, o.custody_fault,
    o.sequence,
    o.created_at, o.updated_at,
    ${locationObject('p')} as pickup, ${locationObject('d')} as dropoff,
    coalesce((select json_agg(json_build_object('goods_type', i.goods_type, 'seal_id', i.seal_id)
      order by i.position) from order_items i where i.order_id = o.id), '[]') as items`;

export const orderTables = `orders o
  join locations p on p.id = o.pickup_location_id
  join locations d on d.id = o.dropoff_location_id`;

/** Whole orders; `rest` is the statement from WHERE on, over `orders o`. */
export const selectOrders = async (
  sql: Sql,
  rest: string,
  parameters: readonly unknown[],
): Promise<ListedOrder[]> => {
  const rows = await sql.query<OrderRow>(
    `select ${orderColumns} from ${orderTables} ${rest}`,
    parameters,
  );
  return rows.map(toListed);
};

/** An order with its place in a list. */
export interface ListedOrder {
  readonly order: Order;
  /** To the microsecond, as PostgreSQL prints it. */
  readonly createdAtMicros: string;
}

export const toListed = (row: OrderRow): ListedOrder => ({
  order: toOrder(row),
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
    items: row.items.map((item) => ({
      goodsType: item.goods_type,
      ...(item.seal_id !== null && { sealId: item.seal_id }),
    })),
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

/** The members that are not null. */
const present = <T extends Record<string, string | null>>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: string;
  };
