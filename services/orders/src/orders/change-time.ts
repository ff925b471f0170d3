/**
 * The time of a change, and how a poll by it misses none (decision 14). A change gets its time
 * before it is committed, so the later of two changes may become visible first; a client that then
 * polls since the latest visible time would miss the other. So a transaction that changes an order
 * of an organization holds a shared lock from before its time is taken until after its commit, and
 * a poll takes the same lock exclusively: no change is in progress then, and each further change
 * gets a later time.
 *
 * "Later" also holds after the database's clock was set back: a poll stores the moment that it
 * answers (`poll_moments`, by organization), and a change gets the later of that moment and the
 * clock. A failover keeps this as it keeps every other commit; one that loses commits may lose it.
 */
import type { Transaction } from '@pto/database';

/** The first of an advisory lock's two keys: no other lock of this database has two. */
const changes = 14;

/**
 * A common table expression `change` with one row, whose `at` is the time of this transaction's
 * change. The lock is taken first: a materialized expression is computed before what reads it.
 * @param organization the placeholder of the organization's id.
 */
export const changeTime = (organization: string): string =>
  `under_way as materialized
     (select pg_advisory_xact_lock_shared(${changes}, hashtext(${organization}::uuid::text))),
   change as materialized (select change_moment(${organization}::uuid) as at from under_way)`;

/**
 * Waits until no change of the organization's orders is in progress, and holds new ones back until
 * this transaction ends.
 * @returns the moment: every change before it can be read now, and every other will be later.
 * @throws Failure DEADLINE_EXCEEDED when a change takes longer than a lock may be waited for.
 */
export const awaitChanges = async (tx: Transaction, organizationId: string): Promise<string> => {
  await tx.query('select pg_advisory_xact_lock($1, hashtext($2::uuid::text))', [
    changes,
    organizationId,
  ]);
  return noChangeBefore(tx, organizationId, null);
};

/**
 * Gives no later change of the organization a time before the moment. To be called under the lock
 * of `awaitChanges`.
 * @param at null: now.
 * @returns the moment, or a later one that was answered before.
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
