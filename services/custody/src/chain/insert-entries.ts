import { doubleArray, intArray, type Transaction, textArray, uuidArray } from '@pto/database';
import type { EntryRow } from './entry-row.ts';

/** Inserts entries of one or several orders with one statement. */
export const insertEntries = async (
  tx: Transaction,
  entries: readonly EntryRow[],
): Promise<void> => {
  const text = (column: TextColumn) => textArray(entries.map((entry) => entry[column]));
  await tx.query(
    `insert into entries (order_id, sequence, id, type, internal_type, ts_utc, gps_lat, gps_lng,
       payload, prev_event_hash, event_hash, canonical_text)
     select * from unnest($1::uuid[], $2::int[], $3::uuid[], $4::text[], $5::text[], $6::text[],
       $7::float8[], $8::float8[], $9::text[], $10::text[], $11::text[], $12::text[])`,
    [
      uuidArray(entries.map((entry) => entry.order_id)),
      intArray(entries.map((entry) => entry.sequence)),
      uuidArray(entries.map((entry) => entry.id)),
      text('type'),
      text('internal_type'),
      text('ts_utc'),
      doubleArray(entries.map((entry) => entry.gps_lat)),
      doubleArray(entries.map((entry) => entry.gps_lng)),
      text('payload'),
      text('prev_event_hash'),
      text('event_hash'),
      text('canonical_text'),
    ],
  );
};

type TextColumn = Exclude<keyof EntryRow, 'order_id' | 'id' | 'sequence' | 'gps_lat' | 'gps_lng'>;
