import { execute } from '@pto/database';
import type { Caller } from '@pto/proto/callers';
import { tables } from '../schema/tables.ts';
import { getOrder, type OrderKey } from './get-order.ts';
import { orderNotFound } from './order-not-found.ts';
import { type OrderSource, type StoredOrder, toMessage } from './stored-order.ts';

/** Whose orders a caller sees alone (decision 84). */
export interface Owner {
  readonly column: 'driver_id' | 'carrier_id';
  readonly id: string;
}

/** Returns the driver or carrier whose orders the caller sees alone; null: the caller sees all. */
export const ownerOf = ({ driver, carrier }: Caller): Owner | null => {
  if (driver) return { column: 'driver_id', id: driver.driverId };
  return carrier ? { column: 'carrier_id', id: carrier.carrierId } : null;
};

/**
 * Reads what a driver or carrier sees of an order: without its price, and without persons of its
 * history, and the newest entry that custody has reported.
 * @throws Failure NOT_FOUND for an order that another one has
 */
export const showOwn = async (source: OrderSource, key: OrderKey, owner: Owner) => {
  const row = tables
    .selectFrom('orders')
    .select([`${owner.column} as owner`, 'custody_sequence as entry', 'custody_head_hash as hash'])
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.orderId);
  const [head] = await execute(source.sql, row);
  if (head?.owner !== owner.id) throw orderNotFound();
  const order = ownMessage(await getOrder(source, key));
  return { order, head: { entry: head.entry, hash: head.hash } };
};

const ownMessage = (stored: StoredOrder) => {
  const order = toMessage(stored);
  order.priceTotal = undefined;
  return order;
};

/** Returns an order as the caller of a command on it sees it. */
export const messageFor = (caller: Caller, stored: StoredOrder) =>
  ownerOf(caller) ? ownMessage(stored) : toMessage(stored);
