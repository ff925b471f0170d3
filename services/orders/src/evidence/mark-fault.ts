import type { Sql } from '@pto/database';

const reasonMax = 500;

/** Marks an order whose chain is at fault; what was found first stays. */
export const markFault = async (sql: Sql, orderId: string, reason: string): Promise<void> => {
  await sql.query('update orders set custody_fault = $2 where id = $1 and custody_fault is null', [
    orderId,
    reason.slice(0, reasonMax),
  ]);
};
