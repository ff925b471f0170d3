/** How one custody entry becomes a hash (decision 30). The only place where that is written. */
import { sha256Hex } from '#sha256';
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

type Unhashed = Omit<ChainEntry, 'event_hash'>;

/**
 * The exact text that is hashed: every member present, an absent value as null.
 * @throws TypeError for what JSON cannot carry.
 */
export const entryText = (orderId: string, entry: Unhashed): string =>
  written(entry, {
    order: canonicalJson(orderId),
    id: canonicalJson(entry.id),
    before: canonicalJson(entry.prev_event_hash),
    at: canonicalJson(entry.ts_utc),
  });

/**
 * The same of an entry whose form was found good (`entryFault`), and whose predecessor's hash is
 * known to be one: looking at the letters of these again takes a third of the hash's time.
 * @param order the order's id as canonical JSON.
 */
export const checkedEntryText = (order: string, entry: Unhashed): string =>
  written(entry, {
    order,
    id: `"${entry.id}"`,
    before: `"${entry.prev_event_hash}"`,
    at: `"${entry.ts_utc}"`,
  });

/**
 * The names stand here in the order that RFC 8785 sorts them into; sorting them for each entry
 * takes longer than the hash.
 */
const written = (
  entry: Unhashed,
  { order, id, before, at }: Record<'order' | 'id' | 'before' | 'at', string>,
): string =>
  `{"gps_lat":${canonicalJson(entry.gps_lat ?? null)}` +
  `,"gps_lng":${canonicalJson(entry.gps_lng ?? null)}` +
  `,"id":${id},"internal_type":${canonicalJson(entry.internal_type)}` +
  `,"order_id":${order},"payload":${canonicalJson(entry.payload ?? null)}` +
  `,"prev_event_hash":${before},"ts_utc":${at}` +
  `,"type":${canonicalJson(entry.type)},"v":"custody-event/1"}`;

/** @throws TypeError for what JSON cannot carry. */
export const entryHash = (orderId: string, entry: Unhashed): string =>
  sha256Hex(entryText(orderId, entry));

/** What the first entry of an order's chain names as its predecessor. */
export const genesisHash = (orderId: string): string =>
  sha256Hex(canonicalJson({ v: 'custody-genesis/1', order_id: orderId }));
