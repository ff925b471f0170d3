import { type Refusal, refusal } from './refusal.ts';
import { readSignatureHeader } from './signature-header.ts';

/** What came with a delivery, and what the receiver knows. */
export interface Signed {
  /** The body as it came over the wire, before anything parsed it; a string stands for its UTF-8. */
  readonly rawBody: Uint8Array | ArrayBuffer | string;
  /** `X-Service-Signature`, however the request gives it. */
  readonly header: unknown;
  /** The endpoint's secrets, `whsec_…`: two while one is being replaced. Any of them may have signed. */
  readonly secrets: readonly string[];
  /** Seconds since the epoch; the clock's, unless told. */
  readonly now?: number;
  /** How far `t` may be from now, both ways: 300, unless told (contract 6.4). */
  readonly toleranceSeconds?: number;
}

export type SignatureVerdict = { readonly valid: true; readonly signedAt: number } | Refusal;

/**
 * Whether one of the secrets signed exactly these bytes, and not more than five minutes ago
 * (contract 6.4). The signature is judged before the time, so `stale` is only said of what was
 * signed. Compared in constant time, by the runtime's own WebCrypto.
 * @returns `signedAt` in seconds since the epoch.
 * @throws TypeError where the call is wrong: a parsed body, no secret, a time that is no number.
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

/** The bytes of a raw body. @throws TypeError for anything that was parsed. */
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
      new TextEncoder().encode(secret), // all of it, with its whsec_ (decision 37)
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
