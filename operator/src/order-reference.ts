import { Failure } from '@pto/errors';
import { isUuid, WrongUsage } from './arguments.ts';
import type { OpenClients } from './clients.ts';

/**
 * Returns the id of the order that a person names: an id as it is, any other text as the partner's
 * external_id. An external_id that has the form of an id is found by `order find` only.
 * @throws Failure NOT_FOUND; WrongUsage if several organizations use the external_id.
 */
export const orderIdOf = async (open: OpenClients, reference: string): Promise<string> => {
  if (isUuid(reference)) return reference;
  const { orders } = await open().orders.findOrders({ externalId: reference });
  const [order, ...others] = orders;
  if (!order)
    throw new Failure('NOT_FOUND', 'No order has this id or external_id.', {
      details: { resource: 'order', external_id: reference },
    });
  if (others.length === 0) return order.id;
  const ids = orders.map(({ id, organizationId }) => `${id} (organization ${organizationId})`);
  throw new WrongUsage(`several orders have this external_id; give the id: ${ids.join(', ')}`);
};
