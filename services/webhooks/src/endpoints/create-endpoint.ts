import { execute, type Transaction, uuidv7 } from '@pto/database';
import { Failure } from '@pto/errors';
import type { CreateEndpointRequest } from '@pto/proto/webhooks/v1/webhooks';
import { rehearsalMaxMs } from '../rehearsal/rehearsal.ts';
import { tables } from '../schema/entities.ts';
import { addSecret } from '../secrets/endpoint-secrets.ts';
import { type Begun, beginOnce, storeResponse } from './begin-once.ts';
import { checkEventFilter, checkUrl } from './check-request.ts';
import type { EndpointDeps } from './deps.ts';
import { withoutSecret, withSecret } from './endpoint-message.ts';
import { findEndpoint, listEndpoints } from './find-endpoint.ts';
import { spendProbe } from './probe-budget.ts';
import { rehearsalColumns, requireSandbox } from './set-rehearsal.ts';
import { confirm } from './verify-endpoint.ts';

/** Maximum number of endpoints per organization (decision 45). */
const endpointsMax = 20;

/**
 * POST /webhooks: stores an endpoint, then runs its first handshake. After a failed handshake the
 * endpoint stays PENDING_VERIFICATION. The secret is returned in both cases; no later call returns
 * it, except repetitions with the same idempotency key.
 * @throws Failure VALIDATION, NOT_FOUND for a rehearsal in production, WEBHOOK_LIMIT_REACHED,
 *   RATE_LIMITED, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS, ORGANIZATION_HELD.
 */
export const createEndpoint = async (
  deps: EndpointDeps,
  request: CreateEndpointRequest,
  deadline: number,
) => {
  const { organizationId, idempotencyKey, bodySha256, rehearsalSpeed } = request;
  if (rehearsalSpeed !== undefined) requireSandbox(deps);
  checkUrl(request.url, deps.policy);
  const eventFilter = checkEventFilter(request.eventFilter);
  const key =
    idempotencyKey === undefined ? undefined : { organizationId, key: idempotencyKey, bodySha256 };
  const begun = await beginOnce(deps, organizationId, key, deadline, (tx) =>
    storeEndpoint(tx, deps, { ...request, eventFilter }),
  );
  if ('replay' in begun) return { body: begun.replay, replayed: true as const };
  const { id, secret } = begun;
  const { result, held } = await confirm(deps, begun, deadline);
  // a request with a key is repeated, and stores its response then
  if (held && key) throw held;
  const endpoint = await findEndpoint(deps.db, { id, organizationId });
  const own = withoutSecret(endpoint, result, deps.health);
  const body = withSecret(
    key ? await storeResponse(deps.db, { organizationId, id }, own) : own,
    secret,
  );
  return { endpoint, secret, result, body, held: held !== undefined, replayed: false as const };
};

const storeEndpoint = async (
  tx: Transaction,
  { probesPerHostPerMinute, ring }: EndpointDeps,
  given: {
    readonly organizationId: string;
    readonly url: string;
    readonly eventFilter: string[] | null;
    readonly rehearsalSpeed?: number | undefined;
  },
): Promise<Begun> => {
  const { organizationId } = given;
  if ((await listEndpoints(tx, organizationId)).length >= endpointsMax)
    throw new Failure(
      'WEBHOOK_LIMIT_REACHED',
      `The organization already has ${endpointsMax} webhook endpoints, the maximum. Delete one first.`,
      { details: { limit: endpointsMax } },
    );
  const status = 'PENDING_VERIFICATION';
  const begun = { organizationId, id: uuidv7(), url: given.url, url_version: 1, status } as const;
  await spendProbe(tx, probesPerHostPerMinute, begun);
  await execute(
    tx,
    tables.insertInto('endpoints').values({
      organization_id: organizationId,
      id: begun.id,
      url: given.url,
      event_filter: given.eventFilter,
      status,
      ...(given.rehearsalSpeed !== undefined &&
        rehearsalColumns({ speed: given.rehearsalSpeed, faults: [], forMs: rehearsalMaxMs })),
    }),
  );
  const sequence = { organization_id: organizationId, endpoint_id: begun.id };
  await execute(tx, tables.insertInto('endpoint_sequences').values(sequence));
  return { ...begun, secret: await addSecret(tx, ring, begun) };
};
