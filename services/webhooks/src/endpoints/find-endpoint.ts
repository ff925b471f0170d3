import { execute, isUuid, type Sql, type Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import { type Endpoint, tables } from '../schema/entities.ts';

/** Identifies an endpoint. A partner's call names the organization; an operator's call does not. */
export interface Which {
  readonly id: string;
  readonly organizationId?: string;
}

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
  { id, organizationId }: Which,
  lock?: 'update' | 'no key update',
): Promise<Endpoint> => {
  const isKnowable = isUuid(id) && (organizationId === undefined || isUuid(organizationId));
  const found = tables
    .selectFrom('endpoints')
    .selectAll()
    .where('id', '=', id)
    .$if(organizationId !== undefined, (one) => one.where('organization_id', '=', organizationId!))
    .$if(lock === 'update', (one) => one.forUpdate())
    .$if(lock === 'no key update', (one) => one.forNoKeyUpdate());
  const [endpoint] = isKnowable ? await execute(sql, found) : [];
  if (endpoint) return endpoint;
  throw new Failure('NOT_FOUND', 'There is no such webhook endpoint.', {
    details: { resource: 'webhook_endpoint' },
  });
};

const disabled =
  'The endpoint is disabled: nothing is queued for it. Enable it, then repeat the request.';

/**
 * Returns an endpoint for which a delivery can be queued, locked for no key update.
 * @throws Failure NOT_FOUND; ILLEGAL_TRANSITION if the endpoint is disabled (decision 34).
 */
export const lockOpenEndpoint = async (tx: Transaction, which: Which): Promise<Endpoint> => {
  const endpoint = await findEndpoint(tx, which, 'no key update');
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
