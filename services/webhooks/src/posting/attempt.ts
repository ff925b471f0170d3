import type { DatabaseClock } from '../database-clock.ts';
import { type Egress, EgressError } from '../egress/index.ts';
import type { SealedRow, SigningKeys } from '../secrets/signing-keys.ts';
import { signatureHeader } from '../signature/sign.ts';
import type { Outcome } from './outcome.ts';

/** What is needed to post one event to one endpoint, be it a delivery or a test. */
export interface Posting {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly secrets: readonly SealedRow[];
  readonly event: string;
  readonly payload: Uint8Array;
  /** The event's number in the endpoint's stream; 0 where it has none. */
  readonly sequence: number;
  /** Dates the signature: a receiver rejects one that is 300 s off (contract 6.4). */
  readonly clock: DatabaseClock;
}

/** At most this much of a response's body is read (decision 39). */
const responseMaxBytes = 64 * 1024;

/**
 * Makes one attempt: signs with the present time (decision 38), posts once, and reads the response
 * to its end or to the limit. Never rejects.
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

/** Null where a key is missing here, as it may be while a new one is rolled out. */
const openKeys = (signingKeys: SigningKeys, { endpointId, secrets }: Posting) => {
  try {
    const keys = signingKeys(endpointId, secrets);
    return keys.length > 0 ? keys : null;
  } catch {
    return null;
  }
};
