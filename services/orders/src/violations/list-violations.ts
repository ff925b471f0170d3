import { execute, type Sql } from '@pto/database';
import type { ViolationState } from '@pto/proto/orders/v1/violations';
import { type ViolationRow, violationColumns, violationsIn } from './violation-row.ts';

/**
 * Lists a page of violations, newest first. Pages are keyset pages by id, because an id begins with
 * the time at which the violation was stored.
 */
export const listViolations = (
  sql: Sql,
  query: { state: ViolationState; orderId: string; beforeId: string; pageSize: number },
): Promise<ViolationRow[]> =>
  execute(
    sql,
    violationsIn(query.state)
      .select(violationColumns)
      .$if(query.orderId !== '', (page) => page.where('order_id', '=', query.orderId))
      .$if(query.beforeId !== '', (page) => page.where('id', '<', query.beforeId))
      .orderBy('id', 'desc')
      .limit(query.pageSize),
  );
