import { type Database, uuidv7 } from '@pto/database';
import { attempt } from '../deliverer/attempt.ts';
import { succeeded } from '../deliverer/outcome.ts';
import { testPayload } from '../dispatcher/payload.ts';
import type { SealedRow } from '../secrets/signing-keys.ts';
import type { EndpointDeps } from './deps.ts';
import { findEndpoint, type Which } from './find-endpoint.ts';

/** Left of the caller's time for the answer to reach it. */
const reserveMs = 500;

/**
 * POST /webhooks/{endpoint_id}/test: one signed `order.test`, in any status; it is not counted
 * in the endpoint's health and not kept (decision 43). @throws Failure NOT_FOUND.
 */
export const testEndpoint = async (deps: EndpointDeps, which: Which, deadline: number) => {
  const { id, url } = await findEndpoint(deps.db, which);
  const posting = {
    deliveryId: uuidv7(),
    endpointId: id,
    url,
    secrets: await secretsOf(deps.db, id),
    event: 'order.test',
    payload: testPayload(new Date().toISOString(), deps.publicBaseUrl),
    sequence: 0, // no part of the stream
  };
  const left = deadline - reserveMs - Date.now();
  const timeoutMs = Math.max(1, Math.min(deps.attemptTimeoutMs, left));
  const outcome = await attempt(deps, posting, { timeoutMs });
  return {
    id,
    delivered: succeeded(outcome),
    ...('error' in outcome ? { error: outcome.error } : { statusCode: outcome.statusCode }),
  };
};

const secretsOf = (db: Database, endpointId: string): Promise<SealedRow[]> =>
  db.query<SealedRow>(
    `select sealing_key, translate(encode(sealed, 'base64'), E'\\n', '') as sealed
     from endpoint_secrets where endpoint_id = $1 and (expires_at is null or expires_at > now())
     order by created_at desc`,
    [endpointId],
  );
