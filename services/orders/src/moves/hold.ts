import { type Database, execute, leastUuid, type Sql, type Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import { type Held, holdOrganization } from '@pto/moves';
import { Level } from '@pto/proto/moves/v1/moves';
import { stopChanges } from '../change-time.ts';
import { tables } from '../schema/tables.ts';

/**
 * Holds an organization. Its changes take a lock that this transaction takes exclusively: after the
 * commit, no change is in progress, and later changes fail with ORGANIZATION_HELD.
 * @returns the number of events of the organization that custody has not reported.
 * @throws Failure ILLEGAL_TRANSITION if a later token holds the organization, or while a violation
 *   is open; DEADLINE_EXCEEDED if a change takes longer than the lock timeout.
 */
export const hold = (db: Database, held: Held, level: Level): Promise<number> =>
  db.transaction(async (tx) => {
    const { organizationId } = held;
    if (level === Level.WORK) {
      await holdOrganization(tx, held, level);
      return 0;
    }
    await stopChanges(tx, organizationId);
    await requireNoViolation(tx, level === Level.ARRIVING ? [] : [organizationId]);
    await holdOrganization(tx, held, level);
    return level === Level.WRITES ? countUnreported(tx, organizationId) : 0;
  });

const countUnreported = async (sql: Sql, organizationId: string): Promise<number> => {
  const [row] = await execute(
    sql,
    tables
      .selectFrom('unreported_events')
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('events'))
      .where('organization_id', '=', organizationId),
  );
  return row!.events;
};

/**
 * Requires that no violation of the log, or of these organizations, is open.
 * @throws Failure ILLEGAL_TRANSITION
 */
export const requireNoViolation = async (
  tx: Transaction,
  organizations: readonly string[],
): Promise<void> => {
  const select = tables
    .selectFrom('integrity_violations')
    .select(['id', 'order_id'])
    // violations of the log have the nil UUID
    .where('organization_id', 'in', [leastUuid, ...organizations])
    .where('resolved_at', 'is', null)
    .where('acknowledged_at', 'is', null)
    .limit(1);
  const [open] = await execute(tx, select);
  if (!open) return;
  const [of, words] =
    open.order_id === null
      ? ['the log', `${open.id} --violation`]
      : [`order ${open.order_id}`, open.order_id];
  throw new Failure(
    'ILLEGAL_TRANSITION',
    `A violation of ${of} is open. Acknowledge it first: operator ledger acknowledge ${words} --reason TEXT`,
  );
};
