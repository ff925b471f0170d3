import { clockTimestamp, type Database, execute, fragment, type Sql, uuidv7 } from '@pto/database';
import { Failure } from '@pto/errors';
import { found } from '../fields.ts';
import { type Phase, type Rows, tables } from '../schema/tables.ts';

/** A move whose try runs in this process, with its token. */
export type Move = Rows['organization_moves'];

/**
 * How long a try may be silent before another process takes the move, in seconds. Partners' changes
 * may wait so long if the process ends while it holds an organization.
 */
const leaseSeconds = 6;

const lease = fragment<string>`clock_timestamp() + ${leaseSeconds}::int * interval '1 s'`;

/** Columns that a step of a move sets. */
export type Step = Partial<
  Pick<Move, 'phase' | 'copies' | 'marks' | 'tries' | 'held_ms' | 'waits_for' | 'failure'>
>;

/** Thrown when a step comes too late: this process must not call a service for the move. */
export class LostMove extends Error {
  constructor() {
    super('the try has ended, or another process runs the move');
  }
}

/** Thrown when an operator has canceled the move. */
export class CanceledMove extends Error {}
export const canceled = 'an operator canceled the move';

/** @throws Failure ILLEGAL_TRANSITION if the organization moves already */
export const beginMove = (
  db: Database,
  move: Pick<Move, 'organization_id' | 'source' | 'target' | 'started_by'>,
): Promise<Move> =>
  db.transaction(async (tx) => {
    const insert = tables
      .insertInto('organization_moves')
      .values({ ...move, id: uuidv7(), phase: 'COPYING' })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll();
    const [begun] = await execute(tx, insert);
    if (!begun)
      throw new Failure('ILLEGAL_TRANSITION', 'This organization moves already.', {
        details: { see: `operator org moves ${move.organization_id}` },
      });
    await setMoving(tx, move.organization_id, true);
    return begun;
  });

const setMoving = (sql: Sql, organizationId: string, isMoving: boolean) =>
  execute(
    sql,
    tables
      .updateTable('organizations')
      .set({ is_moving: isMoving })
      .where('id', '=', organizationId),
  );

/**
 * Takes a move in one of the phases that no process runs. Its token is greater than those of all
 * tries before.
 * @returns undefined if there is none.
 */
export const takeMove = async (
  db: Database,
  phases: readonly Phase[],
): Promise<Move | undefined> => {
  const [move] = await execute(
    db,
    tables
      .updateTable('organization_moves')
      .set({ token: fragment<string>`nextval('move_tokens')`, leased_until: lease })
      .where('id', '=', ({ selectFrom }) =>
        selectFrom('organization_moves as m')
          .select('m.id')
          .where('m.ended_at', 'is', null)
          .where('m.phase', 'in', phases)
          .where('m.leased_until', '<', clockTimestamp)
          .where('m.next_try_at', '<=', clockTimestamp)
          .orderBy('m.id')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .returningAll(),
  );
  return move;
};

/** The move while its try has not ended: a step that comes late would extend the lease again. */
const ofTry = ({ id, token }: Pick<Move, 'id' | 'token'>) =>
  tables
    .updateTable('organization_moves')
    .where('id', '=', id)
    .where('token', '=', token)
    .where('leased_until', '>', fragment<string>`'-infinity'`)
    .where('ended_at', 'is', null);

/** Stores a step and extends the lease. @throws LostMove */
export const storeStep = async (
  sql: Sql,
  move: Pick<Move, 'id' | 'token'>,
  step: Step = {},
  copiedRows = 0,
): Promise<Move> => {
  const [stored] = await execute(
    sql,
    ofTry(move)
      .set({ ...step, leased_until: lease })
      .set(({ eb }) => ({ copied_rows: eb('copied_rows', '+', `${copiedRows}`) }))
      .returningAll(),
  );
  if (!stored) throw new LostMove();
  return stored;
};

/** Stores a step of a move that must not have been canceled. @throws LostMove, CanceledMove */
export const storeStepUnlessCanceled = async (
  ...[sql, move, step, copiedRows]: Parameters<typeof storeStep>
): Promise<Move> => {
  const stored = await storeStep(sql, move, step, copiedRows);
  if (stored.cancel_requested) throw new CanceledMove(canceled);
  return stored;
};

/** Ends a try: another one begins after the pause. Nothing changes if it has ended before. */
export const endTry = async (
  sql: Sql,
  move: Pick<Move, 'id' | 'token'>,
  step: Step,
  pauseMs: number,
): Promise<void> => {
  const next = fragment<string>`clock_timestamp() + ${pauseMs}::float8 * interval '1 ms'`;
  await execute(
    sql,
    ofTry(move).set({ ...step, leased_until: fragment<string>`'-infinity'`, next_try_at: next }),
  );
};

/**
 * The switch: from its commit on, each request of the organization goes to the target.
 * @throws LostMove, CanceledMove
 */
export const switchCell = (db: Database, move: Move, heldMs: number): Promise<Move> =>
  db.transaction(async (tx) => {
    const [switched] = await execute(
      tx,
      ofTry(move)
        .where('phase', '=', 'HOLDING')
        .where('cancel_requested', '=', false)
        .set({ phase: 'SWITCHED', switched_at: clockTimestamp, held_ms: Math.round(heldMs) })
        .set({ tries: 0, waits_for: null, failure: null, leased_until: lease })
        .returningAll(),
    );
    if (!switched) {
      await storeStepUnlessCanceled(tx, move);
      throw new Error('the move is not in its hold');
    }
    const sent = await execute(
      tx,
      tables
        .updateTable('organizations')
        .set({ cell: move.target, is_moving: false })
        .where('id', '=', move.organization_id)
        .where('cell', '=', move.source)
        .returning('id'),
    );
    found(sent, 'organization of the source');
    return switched;
  });

/** Ends a move. @throws LostMove */
export const endMove = (
  db: Database,
  move: Move,
  phase: Extract<Phase, 'MOVED' | 'CANCELLED'>,
): Promise<void> =>
  db.transaction(async (tx) => {
    const ended = ofTry(move).set({ phase, ended_at: clockTimestamp, waits_for: null });
    const rows = await execute(tx, ended.returning('id'));
    if (rows.length === 0) throw new LostMove();
    await setMoving(tx, move.organization_id, false);
  });

/** @throws Failure NOT_FOUND if the organization does not move, ILLEGAL_TRANSITION after the switch */
export const requestCancel = async (db: Database, organizationId: string): Promise<Move> => {
  const cancel = tables
    .updateTable('organization_moves')
    .set({ cancel_requested: true, next_try_at: clockTimestamp })
    .where('organization_id', '=', organizationId)
    .where('ended_at', 'is', null)
    .where('switched_at', 'is', null);
  const [canceled] = await execute(db, cancel.returningAll());
  if (canceled) return canceled;
  const running = tables
    .selectFrom('organization_moves')
    .select('target')
    .where('organization_id', '=', organizationId)
    .where('ended_at', 'is', null);
  const move = found(await execute(db, running), 'running move');
  throw new Failure(
    'ILLEGAL_TRANSITION',
    `The organization is in the cell ${move.target} already.`,
  );
};

/** A page of moves, newest first. @param before the id of the last move of the page before. */
export const listMoves = (
  sql: Sql,
  { organizationId, before, limit }: { organizationId: string; before: string; limit: number },
): Promise<Move[]> =>
  execute(
    sql,
    tables
      .selectFrom('organization_moves')
      .selectAll()
      .$if(organizationId !== '', (all) => all.where('organization_id', '=', organizationId))
      .where('id', '<', before)
      .orderBy('id', 'desc')
      .limit(limit),
  );

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
