import { create } from '@bufbuild/protobuf';
import { isoMillis, type Sql } from '@pto/database';
import {
  type CreateOrderRequest,
  type ListOrdersRequest,
  type Order,
  OrderItemSchema,
  OrderSchema,
} from '@pto/proto/orders/v1/orders';
import { type OrderFields, orderText } from '@pto/representation';
import type { FindLocations, StoredLocation } from '../locations/locations.ts';
import { type Rows, tables } from '../schema/tables.ts';

type ColumnName = keyof Rows['orders'];

/**
 * The optional texts of a request for an order: for each column, the name of the field in the
 * request and in the order. Row, insert, order and message are made from this table.
 */
const requestTexts = {
  external_id: 'externalId',
  notes: 'notes',
  pickup_detail: 'pickupDetail',
  dropoff_detail: 'dropoffDetail',
} as const satisfies Partial<Record<ColumnName, keyof CreateOrderRequest & keyof Order>>;

/** The columns that commands and reported violations set; null in a new order. */
const laterTexts = {
  price_total: 'priceTotal',
  cancel_reason: 'cancelReason',
  transport_organization: 'transportOrganization',
  driver: 'driver',
  custody_fault: 'custodyFault',
} as const satisfies Partial<Record<ColumnName, keyof Order>>;

/** All columns of optional texts. */
const texts = {
  ...requestTexts,
  ...laterTexts,
  dropoff_address_text: 'dropoffAddressText',
} as const satisfies Partial<Record<ColumnName, keyof Order>>;

/** The filters of a list that select one value: for each field of the request, the column. */
export const listFilters = {
  status: 'status',
  externalId: 'external_id',
} as const satisfies Partial<Record<keyof ListOrdersRequest, ColumnName>>;

type Texts = typeof texts;
type Column = keyof Texts;
type RequestColumn = keyof typeof requestTexts;
type Row = { readonly [Name in Column]: string | null };

export const textColumns = Object.keys(texts) as Column[];

/** The column of each text, by its field. */
export const columnOfText = Object.fromEntries(
  Object.entries(texts).map(([column, field]) => [field, column]),
) as { readonly [Name in Column as Texts[Name]]: Name };

/** Returns an order's texts from its row. */
export const textsOfRow = (row: Row) =>
  Object.fromEntries(
    Object.entries(texts).map(([column, field]) => [field, row[column as Column]]),
  ) as {
    readonly [Name in Column as Texts[Name]]: string | null;
  };

/** The types of the columns of `requestTexts`, as `overRows` needs them. */
export const requestTextTypes = Object.fromEntries(
  Object.keys(requestTexts).map((column) => [column, 'text']),
) as { readonly [Name in RequestColumn]: 'text' };

/** Returns the columns of a request's texts; null for an absent text. */
export const columnsOfRequest = (request: CreateOrderRequest) =>
  Object.fromEntries(
    Object.entries(requestTexts).map(([column, field]) => [column, request[field] ?? null]),
  ) as { readonly [Name in RequestColumn]: string | null };

/** The columns of `laterTexts` in a new order. */
export const unsetColumns = Object.fromEntries(
  Object.keys(laterTexts).map((column) => [column, null]),
) as { readonly [Name in keyof typeof laterTexts]: null };

/** The columns of `orders` from which an order is shown, without its items. */
const columns = [
  'id',
  'organization_id',
  'status',
  'sla',
  'source',
  'pickup_location_id',
  'dropoff_location_id',
  'pickup_window_start',
  'pickup_window_end',
  'sequence',
  'created_at',
  'updated_at',
  ...textColumns,
] as const;

export interface OrderRow extends Pick<Rows['orders'], (typeof columns)[number]> {
  /** The items as a JSON array, in the form that partners see. */
  readonly items: string;
}

/** Selects orders `o` without their items. */
export const orderColumns = tables
  .selectFrom('orders as o')
  .select(columns.map((column) => `o.${column}` as const));

/** The connection or transaction that reads orders, and the cache of their locations. */
export interface OrderSource {
  readonly sql: Sql;
  readonly findLocations: FindLocations;
}

/**
 * An order as the database and the cache of locations return it. PostgreSQL renders the items,
 * because there can be thousands. Partners get it as JSON (`toBody`), operators as a message.
 */
export interface StoredOrder {
  readonly order: OrderFields;
  readonly pickup: StoredLocation;
  readonly dropoff: StoredLocation;
  /** The items as a JSON array, in the form that partners see. */
  readonly itemsJson: string;
  /** Time of creation with microseconds, as PostgreSQL prints it. */
  readonly createdAtMicros: string;
}

/** Returns the orders of rows, with their locations. */
export const withLocations = async (
  { sql, findLocations }: OrderSource,
  rows: readonly OrderRow[],
): Promise<StoredOrder[]> => {
  const ids = rows.flatMap((row) => [row.pickup_location_id, row.dropoff_location_id]);
  const found = await findLocations(sql, ids);
  return rows.map((row) =>
    toStored(row, found.get(row.pickup_location_id)!, found.get(row.dropoff_location_id)!),
  );
};

export const toStored = (
  row: OrderRow,
  pickup: StoredLocation,
  dropoff: StoredLocation,
): StoredOrder => ({
  order: {
    ...textsOfRow(row),
    id: row.id,
    organizationId: row.organization_id,
    status: row.status,
    sla: row.sla,
    source: row.source,
    pickupWindowStart: isoMillis(row.pickup_window_start),
    pickupWindowEnd: row.pickup_window_end && isoMillis(row.pickup_window_end),
    createdAt: isoMillis(row.created_at),
    updatedAt: isoMillis(row.updated_at),
    sequence: row.sequence,
  },
  pickup,
  dropoff,
  itemsJson: row.items,
  createdAtMicros: row.created_at,
});

/** An item in the form that partners see (contract 2.1). */
interface Item {
  readonly goods_type: string;
  readonly seal_id: string | null;
}

export const readItems = (itemsJson: string): readonly Item[] => JSON.parse(itemsJson);

/** Returns the JSON of items; an item without a seal has the seal null. */
export const itemsText = (items: readonly Item[]): string => JSON.stringify(items);

/** Returns the order's JSON for partners, in UTF-8. */
export const toBody = ({ order, pickup, dropoff, itemsJson: items }: StoredOrder): Buffer =>
  Buffer.from(orderText(order, { pickup: pickup.json, dropoff: dropoff.json, items }));

/** Returns the order as a message for operators. */
export const toMessage = ({ order, pickup, dropoff, itemsJson }: StoredOrder): Order =>
  create(OrderSchema, {
    ...present(order),
    pickupLocation: pickup.location,
    dropoffLocation: dropoff.location,
    items: readItems(itemsJson).map(({ goods_type: goodsType, seal_id: sealId }) =>
      create(OrderItemSchema, { goodsType, ...present({ sealId }) }),
    ),
  });

/** Returns the members that are not null. */
const present = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as {
    [K in keyof T]: null extends T[K] ? Exclude<T[K], null> | undefined : T[K];
  };
