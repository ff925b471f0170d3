import { LockMode } from '@mikro-orm/core';
import { type Database, execute, isUuid, type Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import { type Endpoint, EndpointEntity } from '../schema/endpoints.ts';
import { tables } from '../schema/entities.ts';

/** Identifies an endpoint. A partner's call names the organization; an operator's call does not. */
export interface Which {
  readonly id: string;
  readonly organizationId?: string;
}

/**
 * Returns an endpoint. @throws Failure NOT_FOUND, also if it belongs to another organization
 * (decision 21).
 */
export const findEndpoint = async (db: Database, which: Which): Promise<Endpoint> =>
  found(isKnowable(which) ? await db.read((em) => em.findOne(EndpointEntity, { ...which })) : null);

/**
 * Returns an endpoint, locked for update until the transaction ends. Until then no process can
 * claim the endpoint's deliveries.
 * @throws Failure NOT_FOUND.
 */
export const lockEndpoint = async (tx: Transaction, which: Which): Promise<Endpoint> => {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
  return found(isKnowable(which) ? await tx.em.findOne(EndpointEntity, { ...which }, lock) : null);
};

/**
 * Returns an endpoint, locked for no key update until the transaction ends. Other transactions
 * cannot change the endpoint, but the deliverer can claim its deliveries. A claim locks endpoints
 * of all organizations for key share, and would wait for a lock for update.
 * @throws Failure NOT_FOUND.
 */
export const holdEndpoint = async (tx: Transaction, which: Which): Promise<Endpoint> => {
  if (!isKnowable(which)) return found(null);
  const { id, organizationId } = which;
  await execute(
    tx,
    tables
      .selectFrom('endpoints')
      .select('id')
      .where('id', '=', id)
      .$if(organizationId !== undefined, (endpoint) =>
        endpoint.where('organization_id', '=', organizationId!),
      )
      .forNoKeyUpdate(),
  );
  return found(await tx.em.findOne(EndpointEntity, { ...which }));
};

const isKnowable = ({ id, organizationId }: Which): boolean =>
  isUuid(id) && (organizationId === undefined || isUuid(organizationId));

const found = (endpoint: Endpoint | null): Endpoint => {
  if (endpoint) return endpoint;
  throw new Failure('NOT_FOUND', 'There is no such webhook endpoint.', {
    details: { resource: 'webhook_endpoint' },
  });
};

const disabled =
  'The endpoint is disabled: nothing is queued for it. Enable it, then repeat the request.';

/**
 * Returns an endpoint for which a delivery can be queued, locked by `holdEndpoint`.
 * @throws Failure NOT_FOUND; ILLEGAL_TRANSITION if the endpoint is disabled (decision 34).
 */
export const lockOpenEndpoint = async (tx: Transaction, which: Which): Promise<Endpoint> => {
  const endpoint = await holdEndpoint(tx, which);
  if (endpoint.disabled)
    throw new Failure('ILLEGAL_TRANSITION', disabled, {
      details: { endpoint_id: endpoint.id, disabled: true },
    });
  return endpoint;
};

/** GET /webhooks: returns an organization's endpoints, oldest first; at most 20 (decision 45). */
export const listEndpoints = async (db: Database, organizationId: string): Promise<Endpoint[]> =>
  isUuid(organizationId)
    ? db.read((em) => em.find(EndpointEntity, { organizationId }, { orderBy: { id: 'asc' } }))
    : [];
