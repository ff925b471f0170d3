import {
  clockTimestamp,
  type Database,
  execute,
  fragment,
  insertAll,
  type Transaction,
  uuidv7,
} from '@pto/database';
import { ViolationState } from '@pto/proto/orders/v1/violations';
import { tables } from '../schema/orders-database.ts';
import {
  updateFlags,
  type ViolationRow,
  violationColumns,
  violationsIn,
} from './violation-rows.ts';

/** A violation as the auditor reports it. */
export interface Found {
  /** Id of the order; empty for a violation of the log. */
  readonly orderId: string;
  readonly entryId: string;
  readonly reason: string;
}

export interface Report {
  readonly found: readonly Found[];
  /** Ids of stored violations that the auditor no longer finds. */
  readonly resolvedIds: readonly string[];
  /** Ids of stored violations about which operators were notified. */
  readonly notifiedIds: readonly string[];
}

const unnotifiedMax = 1000;

/**
 * Stores the auditor's report in one transaction. An unresolved violation is stored once (a unique
 * index), however many auditors report it. An acknowledged violation stays acknowledged.
 * @returns up to 1000 open violations without a notification yet, and the number of all open
 *   violations.
 */
export const recordViolations = (
  db: Database,
  { found, resolvedIds, notifiedIds }: Report,
): Promise<{ unnotified: ViolationRow[]; open: number }> =>
  db.transaction(async (tx) => {
    await store(tx, found);
    const resolved = await execute(tx, resolve(resolvedIds));
    await execute(tx, withIds(notifiedIds).set({ notified_at: clockTimestamp }));
    const changed = [
      ...found.map(({ orderId }) => orderId),
      ...resolved.map((row) => row.order_id),
    ];
    await updateFlags(
      tx,
      changed.flatMap((id) => id || []),
    );
    const open = violationsIn(ViolationState.OPEN);
    const [row] = await execute(
      tx,
      open.select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('open')),
    );
    const unnotified = await execute(
      tx,
      open
        .select(violationColumns)
        .where('notified_at', 'is', null)
        .orderBy('id')
        .limit(unnotifiedMax),
    );
    return { unnotified, open: row!.open };
  });

const withIds = (ids: readonly string[]) =>
  tables
    .updateTable('integrity_violations')
    .where(({ eb, fn, val }) => eb('id', '=', fn.any(val(ids))));

const resolve = (ids: readonly string[]) =>
  withIds(ids)
    .set({ resolved_at: clockTimestamp })
    .where('resolved_at', 'is', null)
    .returning('order_id');

const insert = insertAll(tables, 'integrity_violations', (rows) =>
  rows.onConflict((conflict) =>
    conflict
      .expression(fragment`order_id, entry_id, md5(reason)`)
      .where('resolved_at', 'is', null)
      .doUpdateSet({ last_found_at: clockTimestamp }),
  ),
);

const store = async (tx: Transaction, found: readonly Found[]): Promise<void> => {
  const distinct = new Map(
    found.map((one) => [[one.orderId, one.entryId, one.reason].join('\n'), one]),
  );
  // sorted, so that two reports with the same violations do not deadlock
  const sorted = [...distinct].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const rows = sorted.map(([, { orderId, entryId, reason }]) => ({
    id: uuidv7(),
    order_id: orderId || null,
    entry_id: entryId,
    reason,
  }));
  await insert(tx, rows);
};
