/**
 * Which orders are or were a driver's (decision 84). A record that arrives late belongs to an order
 * that has another driver by now.
 */
import { execute, type Sql, type Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import type { DeviceSource } from '../domain/order.ts';
import type { OrderKey } from '../reading/get-order.ts';
import { orderNotFound } from '../reading/order-not-found.ts';
import { tables } from '../schema/tables.ts';

/** @throws Failure NOT_FOUND for an order that never was the driver's */
export const requireDriver = async (
  sql: Sql,
  { organizationId, orderId }: OrderKey,
  driverId: string,
): Promise<void> => {
  const row = tables
    .selectFrom('driver_orders')
    .select('order_id')
    .where('organization_id', '=', organizationId)
    .where('order_id', '=', orderId)
    .where('driver_id', '=', driverId);
  if ((await execute(sql, row)).length === 0) throw orderNotFound();
};

/** @throws Failure ILLEGAL_TRANSITION for a record on an order that is no longer the driver's */
export const requireCurrentDriver = (
  driverId: string | null,
  device: DeviceSource | null,
): void => {
  if (device === null || driverId === device.record.driver_id) return;
  throw new Failure('ILLEGAL_TRANSITION', 'The order is no longer assigned to this driver.');
};

/**
 * Requires that an order is of a driver or carrier.
 * @param wanted whose it must be; null: anybody's will do.
 * @throws Failure NOT_FOUND
 */
export const requireOwn = (ofOrder: string | null, wanted: string | null): void => {
  if (wanted !== null && ofOrder !== wanted) throw orderNotFound();
};

/** Remembers that an order is a driver's. */
export const rememberDriver = (
  tx: Transaction,
  { organizationId, orderId }: OrderKey,
  driverId: string,
) =>
  execute(
    tx,
    tables
      .insertInto('driver_orders')
      .values({ organization_id: organizationId, order_id: orderId, driver_id: driverId })
      .onConflict((conflict) => conflict.doNothing()),
  );
