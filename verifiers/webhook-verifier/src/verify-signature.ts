/** A received delivery, and the secrets and clock to verify it with. */
export interface Signed {
  /** The received bytes of the body, before any parser; a string means its UTF-8 bytes. */
  readonly rawBody: Uint8Array | ArrayBuffer | string;
  /**
   * The value of `X-Service-Signature`. Undefined, null and an empty text are a missing header; any
   * other value that is not a string is malformed.
   */
  readonly header: unknown;
  /**
   * The endpoint's secrets, `whsec_…`. During a rotation an endpoint has more than one. One secret
   * with a valid signature is enough.
   */
  readonly secrets: readonly string[];
  /** Current time in seconds since the epoch; by default the time of this machine's clock. */
  readonly now?: number;
  /**
   * Maximum distance between `t` and now in seconds, past or future; 300 by default (contract 6.4).
   */
  readonly toleranceSeconds?: number;
}

export type SignatureVerdict = { readonly valid: true; readonly signedAt: number } | Refusal;

/**
 * Verifies that one of the secrets signed these bytes, within the tolerance (contract 6.4). The
 * signature is verified before the time, so `stale` and `from_the_future` imply a valid signature.
 * WebCrypto compares in constant time.
 * @returns `signedAt`, the time of the signature in seconds since the epoch, or a refusal.
 * @throws TypeError if the arguments are wrong: a parsed body, no secret, a time that is no number.
 */
export const verifySignature = async (signed: Signed): Promise<SignatureVerdict> => {
  const { now = Date.now() / 1000, toleranceSeconds = 300, secrets, header } = signed;
  const body = bytesOf(signed.rawBody);
  if (secrets.length === 0 || secrets.some((secret) => typeof secret !== 'string' || secret === ''))
    throw new TypeError('secrets: expected one or several whsec_…; is the setting missing?');
  if (!(Number.isFinite(now) && toleranceSeconds >= 0 && toleranceSeconds < Infinity))
    throw new TypeError('now and toleranceSeconds: expected seconds');

  if (header === undefined || header === null || header === '') return refusal('no_header');
  const read = readSignatureHeader(header);
  if (!read) return refusal('malformed_header');
  if (read.signatures.length === 0) return refusal('no_v1');
  const message = joined(new TextEncoder().encode(`${read.t}.`), body);
  if (!(await anySigned(secrets, read.signatures, message))) return refusal('no_signature_matches');
  const signedAt = Number(read.t);
  if (now - signedAt > toleranceSeconds) return refusal('stale');
  if (signedAt - now > toleranceSeconds) return refusal('from_the_future');
  return { valid: true, signedAt };
};

/** Returns the bytes of a raw body. @throws TypeError for a parsed body. */
export const bytesOf = (rawBody: unknown): Uint8Array => {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  if (ArrayBuffer.isView(rawBody))
    return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  if (Object.prototype.toString.call(rawBody) === '[object ArrayBuffer]')
    return new Uint8Array(rawBody as ArrayBuffer);
  throw new TypeError(
    'rawBody: expected the bytes that came, or their text. The signature covers them as they were sent; parsed and serialized again they differ. Read the body before any JSON middleware does.',
  );
};

const anySigned = async (
  secrets: readonly string[],
  signatures: readonly Uint8Array<ArrayBuffer>[],
  message: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey(
      'raw',
      new TextEncoder().encode(secret), // the complete text, `whsec_` included (decision 37)
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['verify'],
    );
    for (const signature of signatures)
      if (await crypto.subtle.verify('HMAC', key, signature, message)) return true;
  }
  return false;
};

const joined = (first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> => {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
};

/** A parsed `X-Service-Signature` (contract 6.4): `t=<t>,v1=<hex>`, one `v1` for each secret. */
interface SignatureHeader {
  /** Time in seconds since the epoch, as text: the signature covers these characters. */
  readonly t: string;
  /** The 32 bytes of each `v1`, in the order of the header. */
  readonly signatures: readonly Uint8Array<ArrayBuffer>[];
}

/**
 * Parses the header; null if it is malformed. Unknown schemes are ignored. Forms that two parsers
 * could read differently are malformed: two `t`, spaces, a leading zero, upper-case digits.
 */
const readSignatureHeader = (header: unknown): SignatureHeader | null => {
  if (typeof header !== 'string' || header.length > lengthMost) return null;
  const times: string[] = [];
  const signatures: Uint8Array<ArrayBuffer>[] = [];
  for (const part of header.split(',')) {
    const [, scheme, value] = /^([a-z0-9_]+)=([\x21-\x7e]*)$/.exec(part) ?? [];
    if (scheme === undefined || value === undefined) return null;
    if (scheme === 't') times.push(value);
    if (scheme !== 'v1') continue;
    if (!/^[0-9a-f]{64}$/.test(value)) return null;
    signatures.push(hexBytes(value));
  }
  const [t] = times;
  if (t === undefined || times.length > 1 || !/^(0|[1-9][0-9]{0,11})$/.test(t)) return null;
  return signatures.length > signaturesMost ? null : { t, signatures };
};

/**
 * Maximum number of `v1` in a header, and maximum length of a header in characters. The first
 * bounds the number of HMACs over the body.
 */
const signaturesMost = 16;
const lengthMost = 4096;

const hexBytes = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, n) =>
    Number.parseInt(hex.slice(2 * n, 2 * n + 2), 16),
  );

/** Why a delivery is rejected. The verifiers in all languages have the same reasons. */
export type RefusalReason = keyof typeof messages;

/** A rejected delivery. Respond with 401, or with 400 for the reason `not_an_event`. */
export interface Refusal {
  readonly valid: false;
  readonly reason: RefusalReason;
  /** The reason as a sentence for your log; it contains nothing of the request. */
  readonly message: string;
}

export const refusal = (reason: RefusalReason): Refusal => ({
  valid: false,
  reason,
  message: messages[reason],
});

const messages = {
  no_header: 'the request has no X-Service-Signature',
  malformed_header:
    'X-Service-Signature is not t=SECONDS,v1=HEX: t once, each v1 of 64 lower-case digits, no spaces',
  no_v1: 'X-Service-Signature has no v1, the only scheme that is known here',
  no_signature_matches:
    'none of the secrets signed these bytes: another secret, a changed body, or one that was parsed and serialized again',
  stale: 'signed too long ago: a replay, or the clock here is fast',
  from_the_future: 'signed too far ahead of the clock here: is it slow?',
  not_an_event: 'signed, but the body is not an event',
} as const;
