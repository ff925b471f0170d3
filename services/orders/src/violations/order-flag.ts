import { execute, type Transaction } from '@pto/database';
import { tables } from '../schema/tables.ts';
import { open } from './violation-row.ts';

/**
 * Sets the flag of these orders to the reason of their oldest open violation, or to null if no
 * violation is open.
 */
export const updateFlags = async (tx: Transaction, orderIds: readonly string[]): Promise<void> => {
  await execute(
    tx,
    tables
      .updateTable('orders as o')
      .set(({ selectFrom }) => ({
        custody_fault: selectFrom('integrity_violations as v')
          .select('v.reason')
          .whereRef('v.order_id', '=', 'o.id')
          .where(({ and }) => and(open))
          .orderBy('v.id')
          .limit(1),
      }))
      .where(({ eb, fn, val }) => eb('o.id', '=', fn.any(val([...new Set(orderIds)])))),
  );
};
