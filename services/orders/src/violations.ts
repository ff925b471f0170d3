import { create } from '@bufbuild/protobuf';
import {
  bulkInsert,
  bulkStatement,
  clockTimestamp,
  type Database,
  execute,
  fragment,
  isoMillis,
  leastUuid,
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
import type { OrderKey } from './reading/get-order.ts';
import { type OrganizationOf, recordedOrganizationsOf } from './reading/order-organization.ts';
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
  query: {
    state: ViolationState;
    /** The order of the violations; null: of any order, and of the log. */
    order: OrderKey | null;
    /** Only violations of this organization and of the log; absent or empty: of all. */
    organizationId?: string;
    beforeId: string;
    pageSize: number;
  },
): Promise<ViolationRow[]> =>
  execute(
    sql,
    violationsIn(query.state)
      .selectAll()
      .$if(query.order !== null, (page) => page.where(({ and }) => and(isOf(query.order!))))
      .$if(Boolean(query.organizationId), (page) =>
        page.where('organization_id', 'in', [noOrganization, query.organizationId!]),
      )
      .$if(query.beforeId !== '', (page) => page.where('id', '<', query.beforeId))
      .orderBy('id', 'desc')
      .limit(query.pageSize),
  );

/** Organization of a violation of the log, and of one of an order that this database does not have. */
const noOrganization = leastUuid;

/** Returns the order as violations name it, whether this database has it or not. */
export const violatedOrder = async (sql: Sql, orderId: string): Promise<OrderKey> => ({
  organizationId: (await recordedOrganizationsOf(sql, [orderId]))(orderId) ?? noOrganization,
  orderId,
});

/** Returns the columns of an order's violations. */
const isOf = ({ organizationId, orderId }: OrderKey) => ({
  organization_id: organizationId,
  order_id: orderId,
});

const setFlags = bulkStatement({ organization_id: 'uuid', order_id: 'uuid' }, (rows) =>
  tables
    .updateTable('orders as o')
    .from(rows('r'))
    .set(({ selectFrom }) => ({
      custody_fault: selectFrom('integrity_violations as v')
        .select('v.reason')
        .whereRef('v.organization_id', '=', 'o.organization_id')
        .whereRef('v.order_id', '=', 'o.id')
        .where('v.resolved_at', 'is', null)
        .where('v.acknowledged_at', 'is', null)
        .orderBy('v.id')
        .limit(1),
    }))
    .whereRef('o.organization_id', '=', 'r.organization_id')
    .whereRef('o.id', '=', 'r.order_id'),
);

/**
 * Sets the flag of the violations' orders to the reason of their oldest open violation, or to null if
 * no violation is open.
 */
const updateFlags = async (
  tx: Transaction,
  violations: readonly Pick<ViolationRow, 'organization_id' | 'order_id'>[],
) => {
  const orders = violations.flatMap(({ organization_id, order_id }) =>
    order_id === null ? [] : [{ organization_id, order_id }],
  );
  await setFlags(tx, [...new Map(orders.map((order) => [order.order_id, order])).values()]);
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
    const found = rowsOf(report.found, await recordedOrganizationsOf(tx, ordersOf(report.found)));
    await store(tx, found);
    const resolved = await execute(
      tx,
      withIds(report.resolvedIds)
        .set({ resolved_at: clockTimestamp })
        .where('resolved_at', 'is', null)
        .returning(['organization_id', 'order_id']),
    );
    await execute(tx, withIds(report.notifiedIds).set({ notified_at: clockTimestamp }));
    await updateFlags(tx, [...found, ...resolved]);
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

/** Stores violations, or the time of those that are stored, by the unique index of unresolved ones. */
const store = bulkInsert(tables, 'integrity_violations', (rows) =>
  rows.onConflict((conflict) =>
    conflict
      .expression(fragment`organization_id, order_id, entry_id, md5(reason)`)
      .where('resolved_at', 'is', null)
      .doUpdateSet({ last_found_at: clockTimestamp }),
  ),
);

const ordersOf = (found: RecordViolationsRequest['found']): string[] => [
  ...new Set(found.flatMap(({ orderId }) => orderId || [])),
];

/** Returns the rows of violations, each once and sorted: two reports of the same do not deadlock. */
const rowsOf = (found: RecordViolationsRequest['found'], organizationOf: OrganizationOf) =>
  [...new Map(found.map((one) => [[one.orderId, one.entryId, one.reason].join('\n'), one]))]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { orderId, entryId, reason }]) => ({
      id: uuidv7(),
      organization_id: organizationOf(orderId) ?? noOrganization,
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
  target: { order: OrderKey } | { id: string },
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
      .where(({ and }) => and('order' in target ? isOf(target.order) : target))
      .returningAll();
    const rows = await execute(tx, acknowledge);
    if (rows.length === 0)
      throw new Failure('NOT_FOUND', 'There is no open violation of that order or with that id.', {
        details: { resource: 'violation' },
      });
    await updateFlags(tx, rows);
    return rows;
  });
