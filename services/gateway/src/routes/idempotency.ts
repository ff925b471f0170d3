import { bodyHash } from '../http/body/body-hash.ts';
import type { PartnerResponse } from '../http/sending/partner-response.ts';
import type { IdempotencyHeader } from './schemas/idempotency-schema.ts';

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
  body: { kind: 'bytes', bytes: body },
});
