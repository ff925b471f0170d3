import { setTimeout as sleep } from 'node:timers/promises';
import { lockName, type Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import type { Endpoint } from '../schema/endpoints.ts';
import { firstSecret } from '../secrets/endpoint-secrets.ts';
import { type CreationKey, findCreation, type KnownCreation, takeOver } from './creation-key.ts';
import type { EndpointDeps } from './deps.ts';
import { withSecret } from './endpoint-message.ts';
import { reserveMs } from './even-time.ts';
import { holdEndpoint } from './find-endpoint.ts';
import { spendProbe } from './probe-budget.ts';

/** An endpoint that is stored and whose first handshake has not ended. */
export interface Begun extends Pick<Endpoint, 'id' | 'url' | 'urlVersion' | 'status'> {
  readonly secret: string;
}

const pollMs = 100;

/** Serializes the creations of one organization until the transaction ends. */
export const lockEndpoints = (tx: Transaction, organizationId: string): Promise<void> =>
  lockName(tx, `endpoints of ${organizationId}`);

/**
 * Begins the creation of an endpoint under an idempotency key. `store` runs once for a key. If
 * another request is running with this key, waits for its response. If that request ended without a
 * response, because its process or connection died, continues with its endpoint: nobody has seen
 * the secret.
 * @param store stores the endpoint and its key, in a transaction.
 * @returns the endpoint, whose handshake the caller runs; or the stored response.
 * @throws Failure IDEMPOTENCY_KEY_REUSED; IDEMPOTENCY_IN_PROGRESS shortly before the deadline.
 */
export const beginOnce = async (
  deps: EndpointDeps,
  key: CreationKey,
  deadline: number,
  store: (tx: Transaction) => Promise<Begun>,
): Promise<Begun | { readonly replay: Uint8Array }> => {
  const { db, ring } = deps;
  const begin = async (tx: Transaction): Promise<Begun | KnownCreation> => {
    await lockEndpoints(tx, key.organizationId);
    const known = await findCreation(tx, key);
    if (!known) return store(tx);
    return known.isRunning || known.response !== null ? known : resume(tx, deps, known, deadline);
  };
  while (true) {
    const known = await findCreation(db, key);
    const begun = known?.isRunning || known?.response ? known : await db.transaction(begin);
    if ('id' in begun) return begun;
    const { endpointId, response } = begun;
    if (response !== null)
      return { replay: withSecret(response, await firstSecret(db, ring, endpointId)) };
    if (deadline - reserveMs - performance.now() < pollMs) throw inProgress();
    await sleep(pollMs);
  }
};

const resume = async (
  tx: Transaction,
  { ring, probes }: EndpointDeps,
  { endpointId }: KnownCreation,
  deadline: number,
): Promise<Begun> => {
  const { id, url, urlVersion, status } = await holdEndpoint(tx, { id: endpointId });
  await spendProbe(tx, probes, { url, status });
  await takeOver(tx, id, deadline - performance.now());
  return { id, url, urlVersion, status, secret: await firstSecret(tx, ring, id) };
};

const inProgress = (): Failure =>
  new Failure('IDEMPOTENCY_IN_PROGRESS', 'The first request with this key still runs.', {
    retryAfterSeconds: 1,
  });
