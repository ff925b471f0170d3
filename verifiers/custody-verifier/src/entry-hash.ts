/**
 * Computes the hash of a custody entry (decision 30) and the digest of an event's content. This is
 * the reference implementation; `custody_verify.py` implements the hash independently.
 */
import { sha256, sha256Hex } from '#sha256';

/** The value of a personal field, and the salt of its commitment (decision 70). */
export interface Disclosure {
  readonly value: unknown;
  /** 32 random bytes: 64 lower-case hexadecimal digits. */
  readonly salt: string;
}

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
  /**
   * Values and salts of the payload's personal fields, by field (decision 70). Not hashed: the
   * payload commits to them. An erased field is absent.
   */
  readonly disclosed?: Readonly<Record<string, Disclosure>>;
}

type Unhashed = Omit<ChainEntry, 'event_hash' | 'disclosed'>;

/**
 * Returns the exact text that is hashed. It contains the version, the order's id and each member
 * but `event_hash`; an absent value is null.
 * @throws TypeError for a value that JSON cannot represent.
 */
export const entryText = (orderId: string, entry: Unhashed): string =>
  written(canonicalJson(orderId), entry, canonicalJson);

/**
 * Returns the same text as `entryText`, for an entry whose form was checked by `entryFault` and
 * whose `prev_event_hash` is known to be a hash. Checking the characters of these texts again takes
 * a seventh of the verification of a chain.
 * @param order the order's id as canonical JSON.
 */
export const checkedEntryText = (order: string, entry: Unhashed): string =>
  written(order, entry, (text) => `"${text}"`);

/**
 * Writes the members in the order into which RFC 8785 sorts them, because sorting them for each
 * entry takes longer than the hash.
 * @param quoted writes the id, the time and the hash of the previous entry.
 */
const written = (order: string, entry: Unhashed, quoted: (text: string) => string): string =>
  `{"gps_lat":${canonicalJson(entry.gps_lat ?? null)}` +
  `,"gps_lng":${canonicalJson(entry.gps_lng ?? null)}` +
  `,"id":${quoted(entry.id)},"internal_type":${canonicalJson(entry.internal_type)}` +
  `,"order_id":${order},"payload":${canonicalJson(entry.payload ?? null)}` +
  `,"prev_event_hash":${quoted(entry.prev_event_hash)},"ts_utc":${quoted(entry.ts_utc)}` +
  `,"type":${canonicalJson(entry.type)},"v":"custody-event/1"}`;

/** Computes the hash of an entry. @throws TypeError for a value that JSON cannot represent. */
export const entryHash = (orderId: string, entry: Unhashed): string =>
  sha256Hex(entryText(orderId, entry));

/** Returns the genesis hash of an order: the `prev_event_hash` of its first entry. */
export const genesisHash = (orderId: string): string =>
  sha256Hex(canonicalJson({ v: 'custody-genesis/1', order_id: orderId }));

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
 * Returns the digest of the content that `orders` produced for an event (decision 55), which covers
 * no hash of the custody chain: 32 bytes of SHA-256 over the RFC 8785 text of the content with `v:
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

/**
 * Returns the RFC 8785 text of a JSON value: members sorted by UTF-16 code units, no spacing,
 * numbers and strings as ECMAScript writes them, as the RFC prescribes.
 * @throws TypeError for a value that JSON cannot represent: NaN, infinities, undefined, lone
 *   surrogates.
 */
export const canonicalJson = (value: unknown): string => {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`no JSON number: ${value}`);
    return String(value);
  }
  if (typeof value === 'string') return canonicalText(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object') return canonicalObject(value as Record<string, unknown>);
  throw new TypeError(`no JSON value: ${typeof value}`);
};

const canonicalObject = (value: Record<string, unknown>): string => {
  let text = '';
  for (const name of Object.keys(value).sort())
    text += `${text === '' ? '' : ','}${canonicalText(name)}:${canonicalJson(value[name])}`;
  return `{${text}}`;
};

const canonicalText = (text: string): string => {
  if (isPlain(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError('a lone surrogate is no text');
  return JSON.stringify(text);
};

/**
 * Whether the text needs no escaping: printable ASCII without quote and backslash, as most texts
 * are. Without this check the verification of a chain takes a tenth longer (R6).
 */
const isPlain = (text: string): boolean => {
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n);
    if (code < 0x20 || code > 0x7e || code === 0x22 || code === 0x5c) return false;
  }
  return true;
};
