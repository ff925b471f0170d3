import { create } from '@bufbuild/protobuf';
import {
  clockTimestamp,
  type Database,
  execute,
  fragment,
  insertAll,
  isoMillis,
  type Sql,
  type Transaction,
  uuidv7,
} from '@pto/database';
import { Failure } from '@pto/errors';
import { within } from '@pto/lifecycle';
import {
  type RecordViolationsRequest,
  type Violation,
  ViolationSchema,
  ViolationState,
} from '@pto/proto/orders/v1/violations';
import { type Metrics, sampledGauges } from '@pto/telemetry';
import { recordAudit } from './audits.ts';
import { type Rows, tables } from './schema/tables.ts';

type ViolationRow = Rows['integrity_violations'];

/** Column values of an open violation: it is neither resolved nor acknowledged. */
const open = { resolved_at: null, acknowledged_at: null } as const;

/** Returns a query of the violations in a state. UNSPECIFIED: open and acknowledged violations. */
const violationsIn = (state: ViolationState) => {
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
      .selectAll()
      .$if(query.orderId !== '', (page) => page.where('order_id', '=', query.orderId))
      .$if(query.beforeId !== '', (page) => page.where('id', '<', query.beforeId))
      .orderBy('id', 'desc')
      .limit(query.pageSize),
  );

/**
 * Sets the flag of these orders to the reason of their oldest open violation, or to null if no
 * violation is open.
 */
const updateFlags = async (tx: Transaction, orderIds: readonly (string | null)[]) => {
  const ids = new Set(orderIds.flatMap((id) => id || []));
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
      .where(({ eb, fn, val }) => eb('o.id', '=', fn.any(val([...ids])))),
  );
};

const unnotifiedMax = 1000;

/**
 * Stores the auditor's report in one transaction: the violations that it found (without an order
 * id: of the log), the stored ones that it no longer finds, those about which operators were
 * notified, and the audit that it has completed. An unresolved violation is stored once (a unique
 * index), however many auditors report it. An acknowledged violation stays acknowledged.
 * @returns up to 1000 open violations without a notification yet, and the number of all open
 *   violations.
 */
export const recordViolations = (
  db: Database,
  report: Pick<RecordViolationsRequest, 'found' | 'resolvedIds' | 'notifiedIds'>,
  audit?: Parameters<typeof recordAudit>[1],
): Promise<{ unnotified: ViolationRow[]; open: number }> =>
  db.transaction(async (tx) => {
    await insert(tx, rowsOf(report.found));
    const resolved = await execute(
      tx,
      withIds(report.resolvedIds)
        .set({ resolved_at: clockTimestamp })
        .where('resolved_at', 'is', null)
        .returning('order_id'),
    );
    await execute(tx, withIds(report.notifiedIds).set({ notified_at: clockTimestamp }));
    await updateFlags(tx, [
      ...report.found.map(({ orderId }) => orderId),
      ...resolved.map((row) => row.order_id),
    ]);
    if (audit) await recordAudit(tx, audit);
    const [row] = await countOpen(tx);
    const unnotified = await execute(
      tx,
      violationsIn(ViolationState.OPEN)
        .selectAll()
        .where('notified_at', 'is', null)
        .orderBy('id')
        .limit(unnotifiedMax),
    );
    return { unnotified, open: row!.open };
  });

const countOpen = (sql: Sql) =>
  execute(
    sql,
    violationsIn(ViolationState.OPEN).select(({ cast, fn }) =>
      cast<number>(fn.countAll(), 'integer').as('open'),
    ),
  );

const sampleTimeoutMs = 1000;

/** Registers the number of open violations, which each scrape reads. */
export const watchOpenViolations = (db: Database, metrics: Metrics): void => {
  const look = () =>
    within(sampleTimeoutMs, 'the violations', countOpen(db)).then(
      ([row]) => row!,
      () => null,
    );
  const help = 'Integrity violations that are neither acknowledged nor resolved';
  sampledGauges(metrics, look)('custody_violations_open', help, 'open');
};

const withIds = (ids: readonly string[]) =>
  tables
    .updateTable('integrity_violations')
    .where(({ eb, fn, val }) => eb('id', '=', fn.any(val(ids))));

const insert = insertAll(tables, 'integrity_violations', (rows) =>
  rows.onConflict((conflict) =>
    conflict
      .expression(fragment`order_id, entry_id, md5(reason)`)
      .where('resolved_at', 'is', null)
      .doUpdateSet({ last_found_at: clockTimestamp }),
  ),
);

/** Returns the rows of violations, each once and sorted: two reports of the same do not deadlock. */
const rowsOf = (found: RecordViolationsRequest['found']) =>
  [...new Map(found.map((one) => [[one.orderId, one.entryId, one.reason].join('\n'), one]))]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { orderId, entryId, reason }]) => ({
      id: uuidv7(),
      order_id: orderId || null,
      entry_id: entryId,
      reason,
    }));

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
    const acknowledge = tables
      .updateTable('integrity_violations')
      .set({
        acknowledged_at: clockTimestamp,
        acknowledged_by: operator,
        acknowledgment: reason,
      })
      .where(({ and }) => and(open))
      .where(({ eb }) =>
        target.orderId ? eb('order_id', '=', target.orderId) : eb('id', '=', target.id),
      )
      .returningAll();
    const rows = await execute(tx, acknowledge);
    if (rows.length === 0)
      throw new Failure('NOT_FOUND', 'There is no open violation of that order or with that id.', {
        details: { resource: 'violation' },
      });
    await updateFlags(
      tx,
      rows.map((row) => row.order_id),
    );
    return rows;
  });
