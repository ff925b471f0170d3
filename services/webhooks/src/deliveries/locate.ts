import { execute, fragment, isUuid, type Sql } from '@pto/database';
import { tables } from '../schema/entities.ts';
import { type DeliveryKey, noSuchDelivery } from './get-delivery.ts';

/**
 * Returns the key of a delivery: an operator's call names the id alone.
 * @throws Failure NOT_FOUND
 */
export const locateDelivery = async (sql: Sql, id: string): Promise<DeliveryKey> => {
  const found = tables
    .selectFrom('deliveries')
    .select(['organization_id as organizationId', 'id'])
    .where('id', '=', id);
  const [key] = isUuid(id) ? await execute(sql, found) : [];
  if (!key) throw noSuchDelivery();
  return key;
};

/**
 * Returns the organization of an endpoint's deliveries, which stay stored after the endpoint was
 * deleted; empty if there are none.
 */
export const locateDeliveries = async (sql: Sql, endpointId: string): Promise<string> => {
  if (!isUuid(endpointId)) return '';
  const ofEndpoint = tables.selectFrom('endpoints').select('organization_id as organizationId');
  const ofDeliveries = tables.selectFrom('deliveries').select('organization_id as organizationId');
  // the conditions of the two partial indexes by endpoint
  const [open, exhausted] = (['<>', '='] as const).map((is) =>
    ofDeliveries
      .where('endpoint_id', '=', endpointId)
      .where('state', is, fragment.lit('EXHAUSTED'))
      .limit(1),
  );
  const [first] = await execute(
    sql,
    ofEndpoint
      .where('id', '=', endpointId)
      .unionAll(({ parens }) => parens(open!))
      .unionAll(({ parens }) => parens(exhausted!))
      .limit(1),
  );
  return first?.organizationId ?? '';
};
