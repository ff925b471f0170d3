import type { CreateOrderRequest, ListOrdersRequest, Order } from '@pto/proto/orders/v1/orders';
import type { Rows } from '../schema/tables.ts';

type ColumnName = keyof Rows['orders'];

/**
 * The optional texts that an order takes from its request: for each column, the name of the field
 * in the request and in the order. The insert, the select and the messages are made from this
 * table.
 */
const requestTexts = {
  external_id: 'externalId',
  notes: 'notes',
  pickup_detail: 'pickupDetail',
  dropoff_detail: 'dropoffDetail',
} as const satisfies Partial<Record<ColumnName, keyof CreateOrderRequest & keyof Order>>;

/** The filters of a list that select one value: for each field of the request, the column. */
export const listFilters = {
  status: 'status',
  externalId: 'external_id',
} as const satisfies Partial<Record<keyof ListOrdersRequest, ColumnName>>;

type TextColumn = keyof typeof requestTexts;
type TextField = (typeof requestTexts)[TextColumn];

export const textColumns = Object.keys(requestTexts) as TextColumn[];

/** The types of the arrays in which the columns of `requestTexts` are inserted. */
export const textTypes = Object.fromEntries(textColumns.map((column) => [column, 'text'])) as {
  readonly [Column in TextColumn]: 'text';
};

const pairs = Object.entries(requestTexts) as [TextColumn, TextField][];

/** Returns the columns for a request's texts; null for an absent text. */
export const textsOfRequest = (request: { readonly [Field in TextField]?: string | undefined }) =>
  Object.fromEntries(pairs.map(([column, field]) => [column, request[field] ?? null])) as {
    readonly [Column in TextColumn]: string | null;
  };

/** Returns an order's text fields from its row. */
export const textsOfRow = (row: { readonly [Column in TextColumn]: string | null }) =>
  Object.fromEntries(pairs.map(([column, field]) => [field, row[column]])) as {
    readonly [Field in TextField]: string | null;
  };
