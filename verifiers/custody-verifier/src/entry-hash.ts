/**
 * Computes the hash of a custody entry (decision 30). This is the reference implementation;
 * `custody_verify.py` implements the hash independently.
 */
import { sha256Hex } from '#sha256';
import { canonicalJson } from './canonical-json.ts';

/** A custody entry in the form that `GET /orders/{id}/events` returns (contract 2.4). */
export interface ChainEntry {
  readonly id: string;
  readonly type: string;
  readonly internal_type: string;
  /** The exact text `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly ts_utc: string;
  readonly gps_lat?: number | null;
  readonly gps_lng?: number | null;
  readonly payload?: unknown;
  readonly prev_event_hash: string;
  readonly event_hash: string;
}

type Unhashed = Omit<ChainEntry, 'event_hash'>;

/**
 * Returns the exact text that is hashed. It contains the version, the order's id and each member
 * but `event_hash`; an absent value is null.
 * @throws TypeError for a value that JSON cannot represent.
 */
export const entryText = (orderId: string, entry: Unhashed): string =>
  written(entry, {
    order: canonicalJson(orderId),
    id: canonicalJson(entry.id),
    before: canonicalJson(entry.prev_event_hash),
    at: canonicalJson(entry.ts_utc),
  });

/**
 * Returns the same text as `entryText`, for an entry whose form was checked by `entryFault` and
 * whose `prev_event_hash` is known to be a hash. Checking the characters of these texts again takes
 * a third of the hash's time.
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
 * Writes the members in the order into which RFC 8785 sorts them, because sorting them for each
 * entry takes longer than the hash.
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

/** Computes the hash of an entry. @throws TypeError for a value that JSON cannot represent. */
export const entryHash = (orderId: string, entry: Unhashed): string =>
  sha256Hex(entryText(orderId, entry));

/** Returns the genesis hash of an order: the `prev_event_hash` of its first entry. */
export const genesisHash = (orderId: string): string =>
  sha256Hex(canonicalJson({ v: 'custody-genesis/1', order_id: orderId }));
