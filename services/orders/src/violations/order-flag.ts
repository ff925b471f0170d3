import type { Transaction } from '@pto/database';

/** Sets the flag of these orders to the reason of their first open violation, or to null. */
export const updateFlags = async (tx: Transaction, orderIds: readonly string[]): Promise<void> => {
  await tx.query(
    `update orders o set custody_fault = (
       select v.reason from integrity_violations v
       where v.order_id = o.id and v.resolved_at is null and v.acknowledged_at is null
       order by v.id limit 1)
     where o.id = any ($1)`,
    [[...new Set(orderIds)]],
  );
};
