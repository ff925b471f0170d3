import { LockMode } from '@mikro-orm/core';
import { type Database, execute, isUuid, type Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import { type Endpoint, EndpointEntity } from '../schema/endpoint.ts';
import { tables } from '../schema/tables.ts';

/** An endpoint of an organization; without one for calls of the operator. */
export interface Which {
  readonly id: string;
  readonly organizationId?: string;
}

/** @throws Failure NOT_FOUND; the same for another organization's (decision 21). */
export const findEndpoint = async (db: Database, which: Which): Promise<Endpoint> =>
  found(isKnowable(which) ? await db.read((em) => em.findOne(EndpointEntity, { ...which })) : null);

/** The same, locked until the transaction ends. */
export const lockEndpoint = async (tx: Transaction, which: Which): Promise<Endpoint> => {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
  return found(isKnowable(which) ? await tx.em.findOne(EndpointEntity, { ...which }, lock) : null);
};

/**
 * The same, locked until the transaction ends against every change of the endpoint, but not against
 * claims of its deliveries, which lock it for key share: they go on for all organizations.
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
