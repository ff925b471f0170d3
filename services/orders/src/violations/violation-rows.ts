import { create } from '@bufbuild/protobuf';
import { execute, isoMillis, type Sql, type Transaction } from '@pto/database';
import { type Violation, ViolationSchema, ViolationState } from '@pto/proto/orders/v1/violations';
import { type Rows, tables } from '../schema/orders-database.ts';

export const violationColumns = [
  'id',
  'order_id',
  'entry_id',
  'reason',
  'found_at',
  'last_found_at',
  'resolved_at',
  'acknowledged_at',
  'acknowledged_by',
  'acknowledgment',
] as const;

export type ViolationRow = Pick<Rows['integrity_violations'], (typeof violationColumns)[number]>;

/** Column values of an open violation: it is neither resolved nor acknowledged. */
export const open = { resolved_at: null, acknowledged_at: null } as const;

/** Returns a query of the violations in a state. UNSPECIFIED: open and acknowledged violations. */
export const violationsIn = (state: ViolationState) => {
  const all = tables.selectFrom('integrity_violations');
  if (state === ViolationState.OPEN) return all.where(({ and }) => and(open));
  const resolved = state === ViolationState.RESOLVED ? 'is not' : 'is';
  const violations = all.where('resolved_at', resolved, null);
  if (state === ViolationState.ACKNOWLEDGED)
    return violations.where('acknowledged_at', 'is not', null);
  return violations;
};

const stateOf = (row: ViolationRow): ViolationState => {
  if (row.resolved_at !== null) return ViolationState.RESOLVED;
  return row.acknowledged_at === null ? ViolationState.OPEN : ViolationState.ACKNOWLEDGED;
};

export const toViolation = (row: ViolationRow): Violation =>
  create(ViolationSchema, {
    id: row.id,
    state: stateOf(row),
    orderId: row.order_id ?? '',
    entryId: row.entry_id,
    reason: row.reason,
    foundAt: isoMillis(row.found_at),
    lastFoundAt: isoMillis(row.last_found_at),
    ...(row.resolved_at !== null && { resolvedAt: isoMillis(row.resolved_at) }),
    ...(row.acknowledged_at !== null && {
      acknowledgment: {
        at: isoMillis(row.acknowledged_at),
        operator: row.acknowledged_by ?? '',
        reason: row.acknowledgment ?? '',
      },
    }),
  });

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
