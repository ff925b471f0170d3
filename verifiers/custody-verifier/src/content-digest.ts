/**
 * Computes the digest of the content that `orders` produced for an event (decision 55). The digest
 * covers the order's event number, but no hash of the custody chain.
 */
import { sha256 } from '#sha256';
import { canonicalJson } from './canonical-json.ts';

/** The content of one order event. An order event and a custody entry both contain all of it. */
export interface EventContent {
  readonly order_id: string;
  /** The order's event number, from 1. */
  readonly sequence: number;
  readonly id: string;
  readonly type: string;
  readonly internal_type: string;
  /** The exact text `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly ts_utc: string;
  /** Degrees, rounded to 6 decimals; null if unknown. */
  readonly gps_lat: number | null;
  readonly gps_lng: number | null;
  /** A JSON value; null if absent. */
  readonly payload: unknown;
}

/**
 * Returns the 32 bytes of SHA-256 over the RFC 8785 text of the content with `v:
 * "custody-content/1"`. Additional members of the argument do not change the digest.
 * @throws TypeError for a value that JSON cannot represent.
 */
export const contentDigest = (content: EventContent): Uint8Array => {
  const { order_id, sequence, id, type, internal_type, ts_utc, gps_lat, gps_lng, payload } =
    content;
  const event = { order_id, sequence, id, type, internal_type, ts_utc, gps_lat, gps_lng, payload };
  const text = canonicalJson({ v: 'custody-content/1', ...event });
  return sha256(new TextEncoder().encode(text));
};
