import type { CreateOrderRequest, ListOrdersRequest, Order } from '@pto/proto/orders/v1/orders';
import type { Rows } from './orders-database.ts';

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
