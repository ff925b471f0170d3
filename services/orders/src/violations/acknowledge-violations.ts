import { clockTimestamp, type Database, execute } from '@pto/database';
import { Failure } from '@pto/errors';
import { tables } from '../schema/orders-database.ts';
import { open, updateFlags, type ViolationRow, violationColumns } from './violation-rows.ts';

/**
 * Records that an operator has examined open violations (decision 54). Acknowledged violations do
 * not alert. The order's flag is cleared unless another violation of the order is open. A new
 * violation alerts and sets the flag again.
 * @param target an order, for all its open violations, or the id of one violation.
 * @throws Failure NOT_FOUND if no open violation matches.
 */
export const acknowledgeViolations = (
  db: Database,
  target: { orderId: string; id: string },
  { operator, reason }: { operator: string; reason: string },
): Promise<ViolationRow[]> =>
  db.transaction(async (tx) => {
    const rows = await execute(tx, acknowledge(target, operator, reason));
    if (rows.length === 0)
      throw new Failure('NOT_FOUND', 'There is no open violation of that order or with that id.', {
        details: { resource: 'violation' },
      });
    await updateFlags(
      tx,
      rows.flatMap((row) => row.order_id ?? []),
    );
    return rows;
  });

const acknowledge = (target: { orderId: string; id: string }, operator: string, reason: string) =>
  tables
    .updateTable('integrity_violations')
    .set({
      acknowledged_at: clockTimestamp,
      acknowledged_by: operator,
      acknowledgment: reason,
    })
    .where(({ and }) => and(open))
    .where(({ eb, or }) =>
      or([
        ...(target.orderId ? [eb('order_id', '=', target.orderId)] : []),
        ...(target.id ? [eb('id', '=', target.id)] : []),
      ]),
    )
    .returning(violationColumns);
