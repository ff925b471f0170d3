/** The steps of a move in the database `access`, which the session of the working mover stores. */
import { clockTimestamp, execute, fragment, type Sql } from '@pto/database';
import { found } from '../fields.ts';
import { setMoving } from '../moves/move-store.ts';
import { type Phase, type Rows, tables } from '../schema/tables.ts';
import type { Session } from './session.ts';

/** A move whose try runs in this process, with its token. */
export type Move = Rows['organization_moves'];

/** Columns that a step of a move sets. */
export type Step = Partial<
  Pick<Move, 'phase' | 'copies' | 'marks' | 'tries' | 'held_ms' | 'waits_for' | 'failure'>
>;

/** Thrown when an operator has canceled the move. */
export class CanceledMove extends Error {}

/** Thrown when somebody else has changed the move, such as by the statements of backup-restore.md. */
export class ChangedMove extends Error {}

/** Phases in which changes of partners wait for the next step: no other move runs meanwhile. */
const waiting: readonly Phase[] = ['HOLDING', 'SWITCHED'];

/**
 * Begins a try of the next move. Its token is greater than those of all tries before.
 * @returns undefined if no move is due.
 */
export const takeMove = async (sql: Sql): Promise<Move | undefined> => {
  const running = tables.selectFrom('organization_moves').where('ended_at', 'is', null);
  const [move] = await execute(
    sql,
    tables
      .updateTable('organization_moves')
      .set({ token: fragment<string>`nextval('move_tokens')` })
      .where('id', '=', ({ selectFrom }) =>
        selectFrom('organization_moves as m')
          .select('m.id')
          .where('m.ended_at', 'is', null)
          .where('m.next_try_at', '<=', clockTimestamp)
          .where(({ eb, or, not, exists }) =>
            or([
              eb('m.phase', 'in', waiting),
              not(exists(running.select('id').where('phase', 'in', waiting))),
            ]),
          )
          .orderBy('m.id')
          .limit(1),
      )
      .returningAll(),
  );
  return move;
};

/** The move while this try has it. */
const ofTry = ({ id, token }: Pick<Move, 'id' | 'token'>) =>
  tables
    .updateTable('organization_moves')
    .where('id', '=', id)
    .where('token', '=', token)
    .where('ended_at', 'is', null);

/** Stores a step. @throws ChangedMove */
export const storeStep = async (
  sql: Sql,
  move: Pick<Move, 'id' | 'token'>,
  step: Step = {},
  copiedRows = 0,
): Promise<Move> => {
  const [stored] = await execute(
    sql,
    ofTry(move)
      .set(step)
      .set(({ eb }) => ({ copied_rows: eb('copied_rows', '+', `${copiedRows}`) }))
      .returningAll(),
  );
  if (!stored) throw new ChangedMove('the move has ended, or another try runs');
  return stored;
};

/** Stores a step of a move that must not have been canceled. @throws ChangedMove, CanceledMove */
export const storeStepUnlessCanceled = async (
  ...[sql, move, step, copiedRows]: Parameters<typeof storeStep>
): Promise<Move> => rejectCanceled(await storeStep(sql, move, step, copiedRows));

/** @throws CanceledMove */
export const rejectCanceled = (move: Move): Move => {
  if (move.cancel_requested) throw new CanceledMove('an operator canceled the move');
  return move;
};

/** Ends a try: the next one begins after the pause. */
export const endTry = async (
  sql: Sql,
  move: Pick<Move, 'id' | 'token'>,
  step: Step,
  pauseMs: number,
): Promise<void> => {
  const next = fragment<string>`clock_timestamp() + ${pauseMs}::float8 * interval '1 ms'`;
  await execute(sql, ofTry(move).set({ ...step, next_try_at: next }));
};

/**
 * The switch: from its commit on, each request of the organization goes to the target. A process that
 * has lost the session cannot commit it.
 * @throws ChangedMove, CanceledMove
 */
export const switchCell = (session: Session, move: Move, heldMs: number): Promise<Move> =>
  session.transaction(async (sql) => {
    const [switched] = await execute(
      sql,
      ofTry(move)
        .where('phase', '=', 'HOLDING')
        .where('cancel_requested', '=', false)
        .set({ phase: 'SWITCHED', switched_at: clockTimestamp, held_ms: Math.round(heldMs) })
        .set({ tries: 0, waits_for: null, failure: null })
        .returningAll(),
    );
    if (!switched) {
      await storeStepUnlessCanceled(sql, move);
      throw new ChangedMove('the move is not in its hold');
    }
    const sent = tables
      .updateTable('organizations')
      .set({ cell: move.target, is_moving: false })
      .where('id', '=', move.organization_id)
      .where('cell', '=', move.source)
      .returning('id');
    found(await execute(sql, sent), 'organization of the source');
    return switched;
  });

/** Ends a move. @throws ChangedMove */
export const endMove = (
  session: Session,
  move: Move,
  phase: Extract<Phase, 'MOVED' | 'CANCELLED'>,
): Promise<void> =>
  session.transaction(async (sql) => {
    const ended = ofTry(move).set({ phase, ended_at: clockTimestamp, waits_for: null });
    const rows = await execute(sql, ended.returning('id'));
    if (rows.length === 0) throw new ChangedMove('the move has ended');
    await setMoving(sql, move.organization_id, false);
  });

/** Returns how long ago the move began, in ms by the database's clock. */
export const ageMs = async (sql: Sql, { id }: Pick<Move, 'id'>): Promise<number> => {
  const [row] = await execute(
    sql,
    tables
      .selectFrom('organization_moves')
      .select(({ ref }) =>
        fragment<number>`(extract(epoch from clock_timestamp() - ${ref('started_at')}) * 1000)::float8`.as(
          'age',
        ),
      )
      .where('id', '=', id),
  );
  return row!.age;
};
