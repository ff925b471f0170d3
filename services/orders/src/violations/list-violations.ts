import type { Sql } from '@pto/database';
import type { ViolationState } from '@pto/proto/orders/v1/violations';
import { conditionOf, type ViolationRow, violationColumns } from './violation-row.ts';

/** A page of violations, newest first: keyset by id, which is made in the order of time. */
export const listViolations = (
  sql: Sql,
  query: { state: ViolationState; orderId: string; beforeId: string; pageSize: number },
): Promise<ViolationRow[]> =>
  sql.query<ViolationRow>(
    `select ${violationColumns} from integrity_violations
     where ${conditionOf[query.state]} and ($1::uuid is null or order_id = $1)
       and ($2::uuid is null or id < $2)
     order by id desc limit $3`,
    [query.orderId || null, query.beforeId || null, query.pageSize],
  );
