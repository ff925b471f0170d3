import type { entryJson, orderJson } from '@pto/representation';

/** A JSON value of an export. Members with the value `undefined` are absent. */
export type Json = string | number | boolean | null | undefined | JsonObject | readonly Json[];
export type JsonObject = { readonly [member: string]: Json };

/** The order resource (contract 2.1) as parsed JSON. */
export type RecordedOrder = ReturnType<typeof orderJson>;
export type RecordedLocation = NonNullable<RecordedOrder['pickup_location']>;
export type RecordedItem = RecordedOrder['items'][number];

/** One entry of the custody history (contract 2.4). */
export type RecordedEntry = Omit<ReturnType<typeof entryJson>, 'payload' | 'disclosed'> & {
  readonly payload: { readonly [field: string]: unknown } | null;
  /** Values of the personal fields of the payload; an erased field is absent. */
  readonly disclosed?: { readonly [field: string]: { readonly value: unknown } };
};

/** What an export is made from: an order and its custody history, oldest entry first. */
export interface OrderRecord {
  readonly order: RecordedOrder;
  readonly custody: { readonly entries: readonly RecordedEntry[] };
}

/**
 * Returns the time of the last entry, or of the order's last change if there is no entry. An export
 * has this time as its own, so that the same orderRecord gives the same bytes.
 */
export const timeOf = ({ order, custody }: OrderRecord): string =>
  custody.entries.at(-1)?.ts_utc ?? order.updated_at;
