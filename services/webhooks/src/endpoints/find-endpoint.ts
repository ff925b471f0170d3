import { execute, isUuid, type Sql, type Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import { requireNotHeld } from '@pto/moves';
import { readAddresses } from '../deliveries/endpoint-addresses.ts';
import { type Endpoint, type EndpointKey, tables } from '../schema/entities.ts';

/**
 * Returns an endpoint.
 * @param lock locks the endpoint until the transaction ends. `update`: no process can claim the
 *   endpoint's deliveries. `no key update`: no other transaction can change the endpoint, but the
 *   deliverer can claim its deliveries. A claim locks endpoints of all organizations for key share,
 *   and would wait for a lock for update.
 * @throws Failure NOT_FOUND, also if it belongs to another organization (decision 21).
 */
export const findEndpoint = async (
  sql: Sql,
  { organizationId, id }: EndpointKey,
  lock?: 'update' | 'no key update',
): Promise<Endpoint> => {
  const isKnowable = isUuid(id) && isUuid(organizationId);
  const found = tables
    .selectFrom('endpoints')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .$if(lock === 'update', (one) => one.forUpdate())
    .$if(lock === 'no key update', (one) => one.forNoKeyUpdate());
  const [endpoint] = isKnowable ? await execute(sql, found) : [];
  if (endpoint) return endpoint;
  throw noSuchEndpoint();
};

/**
 * Returns the key of an endpoint: an operator's call names the id alone. While an organization moves,
 * and in the source afterwards, the other cell has the endpoint.
 * @throws Failure NOT_FOUND, ORGANIZATION_HELD
 */
export const locateEndpoint = async (sql: Sql, id: string): Promise<EndpointKey> => {
  const found = tables
    .selectFrom('endpoints')
    .select(['organization_id as organizationId', 'id'])
    .where('id', '=', id);
  const [key] = isUuid(id) ? await execute(sql, found) : [];
  if (!key) throw noSuchEndpoint();
  await requireNotHeld(sql, key.organizationId);
  return key;
};

/** @throws Failure NOT_FOUND unless the endpoint exists, or its deletion has not expired (decision 80). */
export const requireReadable = async (sql: Sql, key: EndpointKey): Promise<void> => {
  const isKnowable = isUuid(key.id) && isUuid(key.organizationId);
  const found = isKnowable && (await readAddresses(sql, key.organizationId, [key.id])).size > 0;
  if (!found) throw noSuchEndpoint();
};

export const noSuchEndpoint = (): Failure =>
  new Failure('NOT_FOUND', 'There is no such webhook endpoint.', {
    details: { resource: 'webhook_endpoint' },
  });

const disabled =
  'The endpoint is disabled: nothing is queued for it. Enable it, then repeat the request.';

/**
 * Returns an endpoint for which a delivery can be queued, locked for no key update. A move waits for
 * the lock, and the caller's deliveries are copied.
 * @throws Failure NOT_FOUND; ILLEGAL_TRANSITION if the endpoint is disabled (decision 34);
 *   ORGANIZATION_HELD.
 */
export const lockOpenEndpoint = async (tx: Transaction, key: EndpointKey): Promise<Endpoint> => {
  const endpoint = await findEndpoint(tx, key, 'no key update');
  await requireNotHeld(tx, key.organizationId);
  if (endpoint.disabled)
    throw new Failure('ILLEGAL_TRANSITION', disabled, {
      details: { endpoint_id: endpoint.id, disabled: true },
    });
  return endpoint;
};

/** GET /webhooks: returns an organization's endpoints, oldest first; at most 20 (decision 45). */
export const listEndpoints = async (sql: Sql, organizationId: string): Promise<Endpoint[]> => {
  const found = tables
    .selectFrom('endpoints')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('id');
  return isUuid(organizationId) ? execute(sql, found) : [];
};
