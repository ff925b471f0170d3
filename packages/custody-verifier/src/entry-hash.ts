/** How one custody entry becomes a hash (decision 30). The only place where that is written. */
import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** A custody entry as `GET /orders/{id}/events` answers it (contract 2.4). */
export interface ChainEntry {
  readonly id: string;
  readonly type: string;
  readonly internal_type: string;
  /** `YYYY-MM-DDTHH:mm:ss.sssZ`, to the letter. */
  readonly ts_utc: string;
  readonly gps_lat?: number | null;
  readonly gps_lng?: number | null;
  readonly payload?: unknown;
  readonly prev_event_hash: string;
  readonly event_hash: string;
}

/** The exact text that is hashed: every member present, an absent value as null. */
export const entryText = (orderId: string, entry: Omit<ChainEntry, 'event_hash'>): string =>
  canonicalJson({
    v: 'custody-event/1',
    order_id: orderId,
    id: entry.id,
    type: entry.type,
    internal_type: entry.internal_type,
    ts_utc: entry.ts_utc,
    gps_lat: entry.gps_lat ?? null,
    gps_lng: entry.gps_lng ?? null,
    payload: entry.payload ?? null,
    prev_event_hash: entry.prev_event_hash,
  });

export const sha256Hex = (text: string): string =>
  createHash('sha256').update(text, 'utf8').digest('hex');

export const entryHash = (orderId: string, entry: Omit<ChainEntry, 'event_hash'>): string =>
  sha256Hex(entryText(orderId, entry));

/** What the first entry of an order's chain names as its predecessor. */
export const genesisHash = (orderId: string): string =>
  sha256Hex(canonicalJson({ v: 'custody-genesis/1', order_id: orderId }));
