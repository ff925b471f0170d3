/**
 * Determines the times of changes so that a poll by `updated_since` misses no change (decision 14).
 * A transaction reads the time of its change before it commits. Of two concurrent transactions, the
 * one with the later time can commit first. A client that polls since this later time would miss
 * the change of the other transaction.
 *
 * So a transaction that changes an order takes a shared lock of the organization before it reads
 * the time, and holds the lock until it commits. A poll takes the same lock exclusively. While the
 * poll has the lock, no change of the organization's orders is in progress, and no later change
 * gets a time before the moment that the poll returns.
 *
 * This is also true if the database's clock is set back. A poll stores the moment that it returns
 * (`poll_moments`, by organization), and a change gets the later of that moment and the clock's
 * time. A failover preserves this unless it loses the commit that stored the moment.
 *
 * A move of the organization to another cell takes the lock exclusively, too, before it holds the
 * organization (services/operators/src/mover). So a change that has the lock either fails with ORGANIZATION_HELD or
 * commits before the organization is held.
 */
import {
  type Expression,
  execute,
  fragment,
  type Placeholders,
  statement,
  type Transaction,
} from '@pto/database';
import { levels, requireNotHeld } from '@pto/moves';
import { tables } from './schema/tables.ts';

/**
 * First of the two keys of the advisory lock on an organization's changes. The relay's advisory
 * locks in this database have other first keys.
 */
const changes = 14;

const lockKeys = (organizationId: Expression<string>) =>
  fragment`${fragment.lit(changes)}, hashtext(${organizationId}::uuid::text)`;

const takeSharedLock = (organizationId: Expression<string>) =>
  tables.selectNoFrom(
    fragment`pg_advisory_xact_lock_shared(${lockKeys(organizationId)})`.as('locked'),
  );

const lockAndCheck = statement((given: Placeholders<{ organizationId: string }>) =>
  tables
    .with(
      (cte) => cte('under_way').materialized(),
      () => takeSharedLock(given.organizationId),
    )
    .selectFrom('under_way')
    .select(fragment<string>`require_not_held(${given.organizationId}::uuid)::text`.as('checked')),
);

/**
 * Takes the organization's shared lock for a transaction that changes rows of the organization, and
 * rejects the change of an organization that is held. Sent with the transaction's next statement. A
 * transaction calls it before it locks or writes a row, and after it has the lock of an idempotency
 * key: so no transaction that has the organization's lock waits for one that has not.
 * @throws Failure ORGANIZATION_HELD, by the next statement.
 */
export const beginChange = async (tx: Transaction, organizationId: string): Promise<void> => {
  await lockAndCheck(tx.pipelined, { organizationId });
};

/**
 * Returns a subquery `change` with one row, whose `at` is the time of this transaction's change.
 * PostgreSQL takes the organization's shared lock before it reads the time, because the time's
 * expression reads the materialized expression of the lock. The statement fails with
 * ORGANIZATION_HELD if the organization is held.
 */
export const changeTime = (organizationId: Expression<string>) =>
  tables
    .with(
      (cte) => cte('under_way').materialized(),
      () => takeSharedLock(organizationId),
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
 * Returns an SQL condition that takes the lock of `changeTime` without waiting. It is false if a
 * poll has the lock or waits for it, or if the organization is held. The statement does not notice
 * that an organization is held since it began: `changeTime` rejects the change then.
 */
export const tryChange = (organizationId: Expression<string>) =>
  fragment<boolean>`(pg_try_advisory_xact_lock_shared(${lockKeys(organizationId)})
    and not exists (select from held_organizations h
      where h.organization_id = ${organizationId} and h.level >= ${fragment.lit(levels.held)}))`;

/**
 * Waits until no change of the organization's orders is in progress, and delays new changes until
 * this transaction ends.
 * @returns a moment, stored by `noChangeBefore`. Earlier changes have committed; later changes get
 *   this time or a later one.
 * @throws Failure DEADLINE_EXCEEDED if a change takes longer than the lock timeout;
 *   ORGANIZATION_HELD.
 */
export const awaitChanges = async (tx: Transaction, organizationId: string): Promise<string> => {
  await stopChanges(tx, organizationId);
  await requireNotHeld(tx, organizationId);
  return noChangeBefore(tx, organizationId, null);
};

/** Waits and delays changes as `awaitChanges` does, and stores nothing. */
export const stopChanges = async (tx: Transaction, organizationId: string): Promise<void> => {
  const keys = lockKeys(fragment.val(organizationId));
  await execute(tx, tables.selectNoFrom(fragment`pg_advisory_xact_lock(${keys})`.as('locked')));
};

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
  const store = tables
    .insertInto('poll_moments')
    .values({
      organization_id: organizationId,
      at: fragment<string>`coalesce(${at}::timestamptz, order_clock())`,
    })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet(({ fn, ref }) => ({
        at: fn<string>('greatest', [ref('poll_moments.at'), ref('excluded.at')]),
      })),
    )
    .returning('at');
  const [row] = await execute(tx, store);
  return row!.at;
};
