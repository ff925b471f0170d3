import { type Database, execute, fragment, type Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import { takeMark } from '@pto/moves';
import { Level } from '@pto/proto/moves/v1/moves';
import { noChangeBefore, stopChanges } from '../change-time.ts';
import { tables } from '../schema/tables.ts';
import { requireNoViolation } from './hold.ts';

/** Where a copy ends, and the next one begins. */
export interface Mark {
  /** The next copy reads the orders that were changed at this time or later. */
  readonly changedSince: string;
  /** No later change of an order has an earlier time. */
  readonly moment: string;
  /**
   * A copy until this mark reads no order that was created later, so that it ends under load. While
   * the organization is held: infinity.
   */
  readonly createdUntil: string;
  /** Mark of @pto/moves, for the other tables. */
  readonly transaction: string;
}

/**
 * Takes a mark: every change of an order that is not committed yet gets its `moment` or a later time.
 * @throws Failure ILLEGAL_TRANSITION while a violation of the organization or of the log is open.
 */
export const mark = (db: Database, organizationId: string): Promise<string> =>
  db.transaction(async (tx) => {
    await stopChanges(tx, organizationId);
    await requireNoViolation(tx, [organizationId]);
    const { moment, createdUntil } = await momentOf(tx, organizationId);
    const changedSince = await withUnreported(tx, organizationId, moment);
    const transaction = await takeMark(tx);
    return JSON.stringify({ changedSince, moment, createdUntil, transaction } satisfies Mark);
  });

/** A moment before all later changes. Nothing is stored for an organization that has none. */
const momentOf = async (tx: Transaction, organizationId: string) => {
  const clock = tables
    .selectNoFrom(fragment<string>`order_clock()`.as('at'))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('held_organizations')
          .select('level')
          .where('organization_id', '=', organizationId)
          .where('level', '>=', Level.WRITES),
      ),
    );
  const [held] = await execute(tx, clock);
  if (held) return { moment: held.at, createdUntil: 'infinity' };
  const moment = await noChangeBefore(tx, organizationId, null);
  return { moment, createdUntil: moment };
};

/**
 * Returns the moment, or the earliest change of the orders with an event that custody has not
 * reported: a report changes the order's head, but not the time of its change.
 */
const withUnreported = async (
  tx: Transaction,
  organizationId: string,
  moment: string,
): Promise<string> => {
  const [row] = await execute(
    tx,
    tables
      .selectFrom('unreported_events as u')
      .innerJoin('orders as o', (join) =>
        join.onRef('o.organization_id', '=', 'u.organization_id').onRef('o.id', '=', 'u.order_id'),
      )
      .select(({ fn }) =>
        fragment<string>`least(${moment}::timestamptz, ${fn.min('o.updated_at')})`.as('at'),
      )
      .where('u.organization_id', '=', organizationId),
  );
  return row!.at;
};

/** @throws Failure VALIDATION for a text that is not one of `mark`. */
export const readMark = (text: string): Mark => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('VALIDATION', 'This is not a mark of the orders service.');
  }
};
