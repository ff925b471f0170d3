import { clockTimestamp, type Database, execute, type Transaction, uuidv7 } from '@pto/database';
import { ViolationState } from '@pto/proto/orders/v1/violations';
import { tables } from '../schema/tables.ts';
import { updateFlags } from './order-flag.ts';
import { type ViolationRow, violationColumns, violationsIn } from './violation-row.ts';

/** A violation as the auditor reports it. */
export interface Found {
  /** Id of the order; empty for a violation of the log. */
  readonly orderId: string;
  readonly entryId: string;
  readonly reason: string;
}

export interface Report {
  readonly found: readonly Found[];
  /** Ids of stored violations that are no longer found. */
  readonly resolvedIds: readonly string[];
  /** Ids of violations that people were notified of. */
  readonly notifiedIds: readonly string[];
}

const unnotifiedMax = 1000;

/**
 * Stores the auditor's report in one transaction. An unresolved violation is stored once (a unique
 * index), however many auditors report it. An acknowledged violation stays acknowledged.
 * @returns open violations without a notification yet, and the number of open ones.
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

const store = async (tx: Transaction, found: readonly Found[]): Promise<void> => {
  if (found.length === 0) return;
  await tx.query(
    `insert into integrity_violations as v (id, order_id, entry_id, reason)
     select distinct on (order_id, entry_id, reason) id, order_id, entry_id, reason
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[])
       as f (id, order_id, entry_id, reason)
     order by order_id, entry_id, reason, id
     on conflict (order_id, entry_id, md5(reason)) where resolved_at is null
       do update set last_found_at = clock_timestamp()`,
    [
      found.map(() => uuidv7()),
      found.map(({ orderId }) => orderId || null),
      found.map(({ entryId }) => entryId),
      found.map(({ reason }) => reason),
    ],
  );
};
