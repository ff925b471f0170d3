import { execute, lockName, type Transaction, uuidv7 } from '@pto/database';
import { Failure } from '@pto/errors';
import type { CreateEndpointRequest } from '@pto/proto/webhooks/v1/webhooks';
import { findEndpoint } from '../endpoint-rows/find-endpoint.ts';
import { EndpointEntity } from '../schema/endpoint.ts';
import { tables } from '../schema/tables.ts';
import { addSecret } from '../secrets/rotate-secret.ts';
import { checkEventFilter, checkUrl } from './check-request.ts';
import { confirm } from './confirm.ts';
import type { EndpointDeps } from './deps.ts';
import { spendProbe } from './probe-budget.ts';

/** Maximum number of endpoints per organization (decision 45). */
const endpointsMax = 20;

/**
 * POST /webhooks: stores an endpoint, then runs its first handshake. After a failed handshake the
 * endpoint stays PENDING_VERIFICATION. The secret is returned in both cases; no later call returns
 * it.
 * @throws Failure VALIDATION, WEBHOOK_LIMIT_REACHED, RATE_LIMITED.
 */
export const createEndpoint = async (
  deps: EndpointDeps,
  { organizationId, url, eventFilter: filter }: CreateEndpointRequest,
  deadline: number,
) => {
  checkUrl(url, deps.policy);
  const eventFilter = checkEventFilter(filter);
  const id = uuidv7();
  const status = 'PENDING_VERIFICATION';
  const secret = await deps.db.transaction(async (tx) => {
    await rejectTooMany(tx, organizationId);
    await spendProbe(tx, deps.probes, { url, status });
    tx.em.create(EndpointEntity, {
      id,
      organizationId,
      url,
      status,
      eventFilter,
    });
    await tx.em.flush();
    await execute(tx, tables.insertInto('endpoint_sequences').values({ endpoint_id: id }));
    return addSecret(tx, deps.ring, id);
  });
  const { result } = await confirm(deps, { id, url, urlVersion: 1, status }, deadline);
  return { endpoint: await findEndpoint(deps.db, { id, organizationId }), secret, result };
};

/**
 * Serializes creations of one organization by an advisory lock, then counts its endpoints.
 * @throws Failure WEBHOOK_LIMIT_REACHED.
 */
const rejectTooMany = async (tx: Transaction, organizationId: string): Promise<void> => {
  await lockName(tx, `endpoints of ${organizationId}`);
  if ((await tx.em.count(EndpointEntity, { organizationId })) >= endpointsMax)
    throw new Failure(
      'WEBHOOK_LIMIT_REACHED',
      `The organization already has ${endpointsMax} webhook endpoints, the maximum. Delete one first.`,
      { details: { limit: endpointsMax } },
    );
};
