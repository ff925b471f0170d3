import type { DatabaseClock } from '../database-clock.ts';
import { type Egress, EgressError } from '../egress/index.ts';
import type { SealedRow, SigningKeys } from '../secrets/signing-keys.ts';
import { signatureHeader } from '../signature/sign.ts';
import type { Outcome } from './outcome.ts';

/** One event for one endpoint, as a delivery or as a test request. */
export interface Posting {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly secrets: readonly SealedRow[];
  readonly event: string;
  readonly payload: Uint8Array;
  /** The event's number in the endpoint's stream; 0 if it has none. */
  readonly sequence: number;
  /** Clock that dates the signature. A receiver rejects a date that is 300 s off (contract 6.4). */
  readonly clock: DatabaseClock;
}

/** Maximum of a response's body that is read, in bytes (decision 39). */
const responseMaxBytes = 64 * 1024;

/**
 * Makes one attempt: signs with the current time (decision 38), sends one POST, and reads the
 * response to its end or to the limit. Never rejects: an error is an outcome.
 */
export const attempt = async (
  deps: { egress: Egress; signingKeys: SigningKeys },
  posting: Posting,
  limits: { timeoutMs: number; signal?: AbortSignal },
): Promise<Outcome> => {
  const keys = openKeys(deps.signingKeys, posting);
  if (!keys) return { error: 'unsigned' };
  const t = Math.floor(posting.clock() / 1000);
  try {
    const { statusCode, retryAfter } = await deps.egress.request({
      endpointId: posting.endpointId,
      method: 'POST',
      url: new URL(posting.url),
      headers: {
        'Content-Type': 'application/json',
        'X-Service-Signature': signatureHeader(keys, t, posting.payload),
        'X-Service-Event': posting.event,
        'X-Service-Delivery': posting.deliveryId,
        ...(posting.sequence > 0 && { 'X-Service-Sequence': String(posting.sequence) }),
      },
      body: posting.payload,
      responseMaxBytes,
      ...limits,
    });
    return { statusCode, retryAfter };
  } catch (error) {
    return { error: error instanceof EgressError ? error.fault : 'protocol' };
  }
};

/**
 * Returns the HMAC keys, or null if a secret cannot be decrypted. That can happen while a new
 * sealing key is rolled out and this process does not have it yet.
 */
const openKeys = (signingKeys: SigningKeys, { endpointId, secrets }: Posting) => {
  try {
    const keys = signingKeys(endpointId, secrets);
    return keys.length > 0 ? keys : null;
  } catch {
    return null;
  }
};
