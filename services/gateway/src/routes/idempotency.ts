import { createHash, hash } from 'node:crypto';
import { canonicalJson } from '@pto/custody-verifier';
import type { PartnerResponse } from '../http/respond.ts';
import { string } from '../validation/scalars.ts';
import { described, type Output, optional, parameters } from '../validation/schema.ts';

/** The header with the idempotency key (contract 4.2; decision 22). */
export const idempotencyHeader = parameters({
  'Idempotency-Key': described(
    optional(string({ min: 1, max: 255, pattern: /^[\x21-\x7e]+$/ })),
    'Any unique value, such as a UUID; stored for 24 hours. Use a new key for each order, location or endpoint.',
  ),
});

export type IdempotencyHeader = Output<typeof idempotencyHeader>;

/** Errors of a route with an `Idempotency-Key` (decisions 25, 26). */
export const idempotencyRejections = ['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'] as const;

/** Returns the key of a request with the hash of its body; undefined if it has no key. */
export const keyOf = ({
  header,
  json,
  bytes,
}: {
  readonly header: IdempotencyHeader;
  readonly json: unknown;
  readonly bytes: Uint8Array;
}) => {
  const idempotencyKey = header['Idempotency-Key'];
  return idempotencyKey === undefined
    ? undefined
    : { idempotencyKey, bodySha256: bodyHash(json, bytes) };
};

/** Returns the response to a creation: the bytes of the service, which a replay repeats. */
export const created = ({
  body,
  replayed,
}: {
  readonly body: Uint8Array;
  readonly replayed: boolean;
}): PartnerResponse<never> => ({
  headers: replayed ? { 'Idempotency-Replayed': 'true' } : {},
  pieces: [body],
});

/**
 * Returns the hash by which two bodies are the same (decision 23): SHA-256 of the RFC 8785 form of
 * the parsed JSON. A body with a lone surrogate or 1e999 in an ignored member has no such form; the
 * SHA-256 of a fixed line and the body's bytes is returned instead.
 */
export const bodyHash = (body: unknown, bytes: Uint8Array): Uint8Array => {
  let text: string;
  try {
    text = canonicalJson(body);
  } catch {
    return createHash('sha256').update('no RFC 8785 form\n').update(bytes).digest();
  }
  return Buffer.from(hash('sha256', text, 'base64'), 'base64'); // a third of the time of a Hash
};
