/**
 * What a driver's device signs of a command, and how a custody entry carries it (decision 85). The
 * device, orders and the verifiers build the same statement from the same entry.
 */
import { sha256 } from '#sha256';
import { concat, fromBase64, isHash, toHex } from './bytes.ts';
import { isInstant, isUuid } from './entry-form.ts';
import { type ChainEntry, canonicalJson } from './entry-hash.ts';
import { membersOf } from './entry-members.ts';
import { membersFault } from './read-json.ts';
import { Rejection } from './rejection.ts';
import { isSignedBy } from './web-crypto.ts';

/** The member `device` of a payload. */
export interface DeviceRecord {
  readonly v: 'device/1';
  /** An uncompressed point of P-256: 65 bytes in base64url. */
  readonly key: string;
  readonly driver_id: string;
  readonly carrier_id: string;
  readonly command_id: string;
  /** The device's own time, `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly at: string;
  /** The newest entry that the device had seen; null: none. */
  readonly seen: { readonly entry: number; readonly hash: string } | null;
  /** ECDSA with SHA-256 over the statement: r and s, 64 bytes in base64url. */
  readonly signature: string;
}

/** The member `kept` of a payload: the record of a step that could not be applied. */
export interface KeptRecord {
  /** The step's own type. */
  readonly internal_type: string;
  /** The kind of the failure. */
  readonly reason: string;
}

/** What a device signs, apart from its signature. */
export type SignedRecord = Pick<ChainEntry, 'internal_type' | 'gps_lat' | 'gps_lng'> & {
  readonly order_id: string;
  /** The step's own payload, with commitments in place of personal values. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly device: Omit<DeviceRecord, 'signature'>;
};

/**
 * Returns the text that a device signs: RFC 8785. The end of a file's retention, which the service
 * sets, is not in it, and of readings only the logger, the unit and the file: their summary follows
 * from the file.
 * @throws TypeError for a value that JSON cannot represent.
 */
export const deviceStatement = ({
  order_id,
  internal_type,
  gps_lat = null,
  gps_lng = null,
  payload,
  device,
}: SignedRecord): string =>
  canonicalJson({
    ...{ v: 'device-record/1', order_id, internal_type, gps_lat, gps_lng, device },
    payload: internal_type === 'CONDITION_RECORDED' ? readingsOf(payload) : withoutUntil(payload),
  });

const withoutUntil = (payload: SignedRecord['payload']): SignedRecord['payload'] => {
  const { kept_until: until, ...artifact } = membersOf(payload.artifact);
  return until === undefined ? payload : { ...payload, artifact };
};

const readingsOf = ({ device_id = null, unit = null, readings }: SignedRecord['payload']) => {
  const { sha256 = null, media_type = null, size = null } = membersOf(readings);
  return { device_id, unit, readings: { sha256, media_type, size } };
};

/** Returns the text that a device signs to open a session with a link's code. */
export const deviceOpening = (code: string): string =>
  canonicalJson({ v: 'device-opening/1', code });

/** Returns the text that a device signs to prolong a session, by the session's id and present end. */
export const deviceRenewal = (id: string, expiresAt: string): string =>
  canonicalJson({ v: 'device-renewal/1', id, expires_at: expiresAt });

/** Returns the short name of a device's key: the first 8 hexadecimal digits of its SHA-256. */
export const deviceKeyId = (key: string): string =>
  toHex(sha256(new TextEncoder().encode(key))).slice(0, 8);

const version = 'device/1';
const deviceMembers = [
  ...['v', 'key', 'driver_id', 'carrier_id', 'command_id', 'at', 'seen', 'signature'],
] as const;

/**
 * Returns the device's record of an entry of checked form, and the statement that it signs; null for
 * an entry without a record of this version.
 * @throws Rejection for a record of another form.
 */
export const deviceRecordOf = (
  orderId: string,
  entry: ChainEntry,
): {
  readonly record: DeviceRecord;
  readonly kept: KeptRecord | null;
  readonly statement: string;
} | null => {
  const members = membersOf(entry.payload);
  // another version is no claim that this program could verify
  if (membersOf(members.device).v !== version) return null;
  const { device, kept = null, ...payload } = members;
  requireDevice(device);
  if (kept !== null) requireKept(kept);
  const { signature: _, ...signed } = device;
  const statement = deviceStatement({
    order_id: orderId,
    internal_type: kept?.internal_type ?? entry.internal_type,
    gps_lat: entry.gps_lat ?? null,
    gps_lng: entry.gps_lng ?? null,
    ...{ payload, device: signed },
  });
  return { record: device, kept, statement };
};

function requireDevice(value: unknown): asserts value is DeviceRecord {
  const fault = membersFault(value, deviceMembers);
  if (fault) throw new Rejection(`device: ${fault}`);
  const { key, driver_id, carrier_id, command_id, at, seen, signature } = value as DeviceRecord;
  if (![driver_id, carrier_id, command_id].every(isUuid))
    throw new Rejection('device: an id is not a UUID in lower case');
  if (!isInstant(at)) throw new Rejection('device: at is not a time');
  fromBase64Url(key, keyBytes);
  fromBase64Url(signature, signatureBytes);
  if (seen === null) return;
  const ofSeen = membersFault(seen, ['entry', 'hash']);
  if (ofSeen || !Number.isSafeInteger(seen.entry) || seen.entry < 1 || !isHash(seen.hash))
    throw new Rejection('device: seen is not the number and hash of an entry');
}

function requireKept(value: unknown): asserts value is KeptRecord {
  const fault = membersFault(value, ['internal_type', 'reason']);
  const texts = fault ? [] : Object.values(value as KeptRecord);
  if (fault || texts.some((text) => typeof text !== 'string'))
    throw new Rejection('kept is not the step and the reason');
}

const [keyBytes, signatureBytes] = [65, 64];

/** Decodes base64url without padding. @throws Rejection for another form or length. */
const fromBase64Url = (text: unknown, length: number): Uint8Array<ArrayBuffer> => {
  const wrong = new Rejection(`device: not ${length} bytes of base64url`);
  if (typeof text !== 'string' || !/^[\w-]{1,100}$/.test(text)) throw wrong;
  const padded = `${text.replaceAll('-', '+').replaceAll('_', '/')}${'='.repeat(-text.length & 3)}`;
  try {
    return concat(fromBase64(padded, length));
  } catch {
    throw wrong;
  }
};

const p256 = {
  form: { name: 'ECDSA', namedCurve: 'P-256' },
  algorithm: { name: 'ECDSA', hash: 'SHA-256' },
};

/**
 * Whether a device's signature is valid.
 * @param key and `signature` as in `DeviceRecord`.
 * @throws Rejection for a text of another form; Unchecked if this program has no P-256.
 */
export const isDeviceSignature = async (
  key: string,
  signature: string,
  statement: string,
): Promise<boolean> =>
  isSignedBy(
    { ...p256, bytes: fromBase64Url(key, keyBytes) },
    fromBase64Url(signature, signatureBytes),
    concat(new TextEncoder().encode(statement)),
  );
