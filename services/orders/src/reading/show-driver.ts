import { execute } from '@pto/database';
import { tables } from '../schema/tables.ts';
import { getOrder, type OrderKey } from './get-order.ts';
import { orderNotFound } from './order-not-found.ts';
import { type OrderSource, toMessage } from './stored-order.ts';

/**
 * Reads what a driver sees of an order: without its price, and without persons of its history, and
 * the newest entry that custody has reported.
 * @throws Failure NOT_FOUND for an order that another driver has
 */
export const showDriver = async (source: OrderSource, key: OrderKey, driverId: string) => {
  const row = tables
    .selectFrom('orders')
    .select(['driver_id', 'custody_sequence as entry', 'custody_head_hash as hash'])
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.orderId);
  const [head] = await execute(source.sql, row);
  if (head?.driver_id !== driverId) throw orderNotFound();
  const order = toMessage(await getOrder(source, key));
  order.priceTotal = undefined;
  return { order, head: { entry: head.entry, hash: head.hash } };
};
