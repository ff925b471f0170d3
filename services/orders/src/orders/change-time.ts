/**
 * Change times that make a poll by `updated_since` miss no change (decision 14). A change gets its
 * time before its commit, so the later of two changes may become visible first. A client that then
 * polls since the latest visible time would miss the other change.
 *
 * So a transaction that changes an organization's order takes a shared lock before it takes its
 * time, and releases the lock at its commit. A poll takes the same lock exclusively: no change is
 * in progress, and each later change gets a later time.
 *
 * The time is also later if the database's clock was set back: a poll stores the moment that it
 * returns (`poll_moments`, by organization), and a change gets the later of that moment and the
 * clock. A failover preserves this unless it loses the commit that stored the moment.
 */
import type { Transaction } from '@pto/database';

/**
 * First of the two keys of an advisory lock. The relay's two-key locks in this database have other
 * first keys.
 */
const changes = 14;

/**
 * Returns a common table expression `change` with one row, whose `at` is the time of this
 * transaction's change. The lock comes first: PostgreSQL computes a materialized expression before
 * the expression that reads it.
 * @param organization an expression for the organization's id.
 */
export const changeTime = (organization: string): string =>
  `under_way as materialized
     (select pg_advisory_xact_lock_shared(${changes}, hashtext(${organization}::uuid::text))),
   change as materialized (select change_moment(${organization}::uuid) as at from under_way)`;

/**
 * Returns a condition that takes the lock of `changeTime`, and is false if the lock would have to
 * wait.
 * @param organization an expression for the organization's id.
 */
export const tryChange = (organization: string): string =>
  `pg_try_advisory_xact_lock_shared(${changes}, hashtext(${organization}::uuid::text))`;

/**
 * Waits until no change of the organization's orders is in progress, and delays new changes until
 * this transaction ends.
 * @returns a moment: all changes before it are visible, all others get a later time.
 * @throws Failure DEADLINE_EXCEEDED if a change takes longer than the lock timeout.
 */
export const awaitChanges = async (tx: Transaction, organizationId: string): Promise<string> => {
  await tx.query('select pg_advisory_xact_lock($1, hashtext($2::uuid::text))', [
    changes,
    organizationId,
  ]);
  return noChangeBefore(tx, organizationId, null);
};

/**
 * Stores a moment before which no later change of the organization may have its time. The caller
 * must have the lock of `awaitChanges`.
 * @param at null: now.
 * @returns the moment, or a later one that is stored already.
 */
export const noChangeBefore = async (
  tx: Transaction,
  organizationId: string,
  at: string | null,
): Promise<string> => {
  const [row] = await tx.query<{ at: string }>(
    `insert into poll_moments as known (organization_id, at)
     values ($1, coalesce($2::timestamptz, order_clock()))
     on conflict (organization_id) do update set at = greatest(known.at, excluded.at)
     returning at`,
    [organizationId, at],
  );
  return row!.at;
};
