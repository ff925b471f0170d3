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
import { type Expression, fragment, type Given, statement, type Transaction } from '@pto/database';
import { tables } from '../schema/tables.ts';

/**
 * First of the two keys of an advisory lock. The relay's two-key locks in this database have other
 * first keys.
 */
const changes = 14;

const lockKeys = (organizationId: Expression<string>) =>
  fragment`${fragment.lit(changes)}, hashtext(${organizationId}::uuid::text)`;

/**
 * Returns a table `change` with one row, whose `at` is the time of this transaction's change. The
 * lock comes first: PostgreSQL computes a materialized expression before the expression that reads
 * it.
 */
export const changeTime = (organizationId: Expression<string>) =>
  tables
    .with(
      (cte) => cte('under_way').materialized(),
      (db) =>
        db.selectNoFrom(
          fragment`pg_advisory_xact_lock_shared(${lockKeys(organizationId)})`.as('locked'),
        ),
    )
    .with(
      (cte) => cte('moment').materialized(),
      (db) =>
        db
          .selectFrom('under_way')
          .select(fragment<string>`change_moment(${organizationId}::uuid)`.as('at')),
    )
    .selectFrom('moment')
    .select('at')
    .as('change');

/**
 * Returns a condition that takes the lock of `changeTime`, and is false if the lock would have to
 * wait.
 */
export const tryChange = (organizationId: Expression<string>) =>
  fragment<boolean>`pg_try_advisory_xact_lock_shared(${lockKeys(organizationId)})`;

const lockChanges = statement((given: Given<{ organizationId: string }>) =>
  tables.selectNoFrom(
    fragment`pg_advisory_xact_lock(${lockKeys(given.organizationId)})`.as('locked'),
  ),
);

/**
 * Waits until no change of the organization's orders is in progress, and delays new changes until
 * this transaction ends.
 * @returns a moment: all changes before it are visible, all others get a later time.
 * @throws Failure DEADLINE_EXCEEDED if a change takes longer than the lock timeout.
 */
export const awaitChanges = async (tx: Transaction, organizationId: string): Promise<string> => {
  await lockChanges(tx, { organizationId });
  return noChangeBefore(tx, organizationId, null);
};

const storeMoment = statement((given: Given<{ organizationId: string; at: string | null }>) =>
  tables
    .insertInto('poll_moments')
    .values({
      organization_id: given.organizationId,
      at: fragment<string>`coalesce(${given.at}::timestamptz, order_clock())`,
    })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet(({ fn, ref }) => ({
        at: fn<string>('greatest', [ref('poll_moments.at'), ref('excluded.at')]),
      })),
    )
    .returning('at'),
);

/**
 * Stores a moment: no later change of the organization's orders gets a time before that moment. The
 * caller must have the lock of `awaitChanges`.
 * @param at null: the present time of the database.
 * @returns the moment, or a later one that is stored already.
 */
export const noChangeBefore = async (
  tx: Transaction,
  organizationId: string,
  at: string | null,
): Promise<string> => {
  const [row] = await storeMoment(tx, { organizationId, at });
  return row!.at;
};
