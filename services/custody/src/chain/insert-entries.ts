import {
  type ArrayOf,
  doubleArray,
  type Given,
  insertRows,
  intArray,
  statement,
  type Transaction,
  textArray,
  unnest,
  uuidArray,
} from '@pto/database';
import { tables } from '../schema/ledger-database.ts';
import type { EntryRow } from './entry-row.ts';

type Entries = { readonly [Column in keyof EntryRow]: ArrayOf<EntryRow[Column]> };

const types = {
  order_id: 'uuid',
  sequence: 'int',
  id: 'uuid',
  type: 'text',
  internal_type: 'text',
  ts_utc: 'text',
  gps_lat: 'float8',
  gps_lng: 'float8',
  payload: 'text',
  prev_event_hash: 'text',
  event_hash: 'text',
  canonical_text: 'text',
} as const;

const insert = statement((given: Given<Entries>) =>
  insertRows(tables, 'entries', tables.selectFrom(unnest('e', given, types)), ({ ref }) => ({
    order_id: ref('e.order_id'),
    sequence: ref('e.sequence'),
    id: ref('e.id'),
    type: ref('e.type'),
    internal_type: ref('e.internal_type'),
    ts_utc: ref('e.ts_utc'),
    gps_lat: ref('e.gps_lat'),
    gps_lng: ref('e.gps_lng'),
    payload: ref('e.payload'),
    prev_event_hash: ref('e.prev_event_hash'),
    event_hash: ref('e.event_hash'),
    canonical_text: ref('e.canonical_text'),
  })),
);

/** Inserts entries of one or several orders with one statement. */
export const insertEntries = async (
  tx: Transaction,
  entries: readonly EntryRow[],
): Promise<void> => {
  const text = <Column extends TextColumn>(column: Column) =>
    textArray(entries.map((entry) => entry[column]));
  await insert(tx.pipelined, {
    order_id: uuidArray(entries.map((entry) => entry.order_id)),
    sequence: intArray(entries.map((entry) => entry.sequence)),
    id: uuidArray(entries.map((entry) => entry.id)),
    type: text('type'),
    internal_type: text('internal_type'),
    ts_utc: text('ts_utc'),
    gps_lat: doubleArray(entries.map((entry) => entry.gps_lat)),
    gps_lng: doubleArray(entries.map((entry) => entry.gps_lng)),
    payload: text('payload'),
    prev_event_hash: text('prev_event_hash'),
    event_hash: text('event_hash'),
    canonical_text: text('canonical_text'),
  });
};

type TextColumn = Exclude<keyof EntryRow, 'order_id' | 'id' | 'sequence' | 'gps_lat' | 'gps_lng'>;
