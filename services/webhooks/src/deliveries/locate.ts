import { execute, fragment, isUuid, type Sql } from '@pto/database';
import { requireNotHeld } from '@pto/moves';
import { tables } from '../schema/entities.ts';
import { type DeliveryKey, noSuchDelivery } from './get-delivery.ts';

/**
 * Returns the key of a delivery: an operator's call names the id alone. While an organization moves,
 * and in the source afterwards, the other cell has the delivery.
 * @throws Failure NOT_FOUND, ORGANIZATION_HELD
 */
export const locateDelivery = async (sql: Sql, id: string): Promise<DeliveryKey> => {
  const found = tables
    .selectFrom('deliveries')
    .select(['organization_id as organizationId', 'id'])
    .where('id', '=', id);
  const [key] = isUuid(id) ? await execute(sql, found) : [];
  if (!key) throw noSuchDelivery();
  await requireNotHeld(sql, key.organizationId);
  return key;
};

/**
 * Returns the organization of an endpoint's deliveries, which stay stored after the endpoint was
 * deleted; undefined if there are none and the endpoint is unknown.
 * @throws Failure ORGANIZATION_HELD as `locateDelivery`
 */
export const locateDeliveries = async (
  sql: Sql,
  endpointId: string,
): Promise<string | undefined> => {
  if (!isUuid(endpointId)) return undefined;
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
  if (first) await requireNotHeld(sql, first.organizationId);
  return first?.organizationId;
};
