import type { KeyObject } from 'node:crypto';
import type { Logger } from '@pto/telemetry';
import type { DatabaseClock } from '../database-clock.ts';
import type { Egress } from '../egress/egress.ts';
import { EgressError } from '../egress/egress-error.ts';
import { type SealedRow, type SigningKeys, signatureHeader } from '../secrets/sign.ts';
import type { AttemptError, Outcome } from './retry-schedule.ts';

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
  /**
   * The clock of the signature's time. A receiver rejects a signature whose time differs by more
   * than 300 s from its own clock (contract 6.4).
   */
  readonly clock: DatabaseClock;
}

/** Maximum number of bytes of a response's body that are read (decision 39). */
const responseMaxBytes = 64 * 1024;

/**
 * Makes one attempt: signs with the current time (decision 38), sends one POST, and reads the
 * response to its end or to the limit. Never rejects: an error is an outcome. The error's cause is
 * logged at debug level, because an endpoint that is down causes one line for each attempt.
 */
export const attempt = async (
  deps: { egress: Egress; signingKeys: SigningKeys; log: Logger },
  posting: Posting,
  limits: { timeoutMs: number; signal?: AbortSignal },
): Promise<Outcome> => {
  const { deliveryId, endpointId } = posting;
  const fail = (error: AttemptError, err: unknown): Outcome => {
    deps.log.debug(
      { err, deliveryId, endpointId, error },
      'an attempt failed without a valid response',
    );
    return { error };
  };
  let keys: readonly KeyObject[];
  try {
    keys = openKeys(deps.signingKeys, posting);
  } catch (error) {
    return fail('unsigned', error);
  }
  const t = Math.floor(posting.clock() / 1000);
  try {
    const { statusCode, retryAfter } = await deps.egress.request({
      endpointId,
      method: 'POST',
      url: new URL(posting.url),
      headers: {
        'Content-Type': 'application/json',
        'X-Service-Signature': signatureHeader(keys, t, posting.payload),
        'X-Service-Event': posting.event,
        'X-Service-Delivery': deliveryId,
        ...(posting.sequence > 0 && { 'X-Service-Sequence': String(posting.sequence) }),
      },
      body: posting.payload,
      responseMaxBytes,
      ...limits,
    });
    return { statusCode, retryAfter };
  } catch (error) {
    return fail(error instanceof EgressError ? error.fault : 'protocol', error);
  }
};

/**
 * Returns the HMAC keys.
 * @throws Error if the endpoint has no secret, or if a secret cannot be decrypted, for example
 *   because this process does not have a new sealing key yet.
 */
const openKeys = (signingKeys: SigningKeys, { endpointId, secrets }: Posting) => {
  const keys = signingKeys(endpointId, secrets);
  if (keys.length === 0) throw new Error('the endpoint has no secret');
  return keys;
};
