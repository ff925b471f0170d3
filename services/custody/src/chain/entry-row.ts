import { create } from '@bufbuild/protobuf';
import type { ChainEntry } from '@pto/custody-verifier';
import { type Entry, EntrySchema } from '@pto/proto/custody/v1/custody';
import type { Rows } from '../schema/ledger-database.ts';

export const entryColumns = [
  'order_id',
  'sequence',
  'id',
  'type',
  'internal_type',
  'ts_utc',
  'gps_lat',
  'gps_lng',
  'payload',
  'prev_event_hash',
  'event_hash',
  'canonical_text',
] as const;

export type EntryRow = Readonly<Pick<Rows['entries'], (typeof entryColumns)[number]>>;

/** Converts a row to the entry that partners see and that is hashed (contract 2.4). */
export const toChainEntry = (row: EntryRow): ChainEntry => ({
  id: row.id,
  type: row.type,
  internal_type: row.internal_type,
  ts_utc: row.ts_utc,
  gps_lat: row.gps_lat,
  gps_lng: row.gps_lng,
  payload: row.payload === null ? null : JSON.parse(row.payload),
  prev_event_hash: row.prev_event_hash,
  event_hash: row.event_hash,
});

export const toEntry = (row: EntryRow): Entry =>
  create(EntrySchema, {
    id: row.id,
    type: row.type,
    internalType: row.internal_type,
    tsUtc: row.ts_utc,
    ...(row.gps_lat !== null && { gpsLat: row.gps_lat }),
    ...(row.gps_lng !== null && { gpsLng: row.gps_lng }),
    payloadJson: row.payload ?? '',
    prevEventHash: row.prev_event_hash,
    eventHash: row.event_hash,
    sequence: row.sequence,
  });
