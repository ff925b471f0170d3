import { clockTimestamp, type Database, execute, type Sql, uuidv7 } from '@pto/database';
import { Failure } from '@pto/errors';
import { found } from '../fields.ts';
import { type Rows, tables } from '../schema/tables.ts';

export type Move = Rows['organization_moves'];

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

/** Whether gateways look up the organization's cell for each request. */
export const setMoving = (sql: Sql, organizationId: string, isMoving: boolean) =>
  execute(
    sql,
    tables
      .updateTable('organizations')
      .set({ is_moving: isMoving })
      .where('id', '=', organizationId),
  );

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
