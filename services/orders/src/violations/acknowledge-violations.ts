import type { Database } from '@pto/database';
import { Failure } from '@pto/errors';
import { ViolationState } from '@pto/proto/orders/v1/violations';
import { updateFlags } from './order-flag.ts';
import { conditionOf, type ViolationRow, violationColumns } from './violation-row.ts';

/**
 * Records that an operator looked at open violations (decision 54): they no longer alert, and the
 * order's flag is cleared; a new violation alerts and flags again.
 * @param target all open violations of an order, or one by its id.
 * @throws Failure NOT_FOUND where no open violation matches.
 */
export const acknowledgeViolations = (
  db: Database,
  target: { orderId: string; id: string },
  { operator, reason }: { operator: string; reason: string },
): Promise<ViolationRow[]> =>
  db.transaction(async (tx) => {
    const rows = await tx.query<ViolationRow>(
      `update integrity_violations set acknowledged_at = clock_timestamp(), acknowledged_by = $3,
         acknowledgment = $4
       where ${conditionOf[ViolationState.OPEN]}
         and (order_id = $1::uuid or id = $2::uuid)
       returning ${violationColumns}`,
      [target.orderId || null, target.id || null, operator, reason],
    );
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
