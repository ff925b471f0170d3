import type { Database } from '@pto/database';
import { execute, greatestUuid } from '@pto/database';
import { invalid } from '@pto/errors';
import { MoveService } from '@pto/proto/access/v1/moves';
import { type Implementation, implement } from '@pto/rpc';
import { requireCell } from '../cells.ts';
import { found, nextIdOf, pageSize, requireId, shown } from '../fields.ts';
import type { Operator } from '../identity/operator.ts';
import { tables } from '../schema/tables.ts';
import type { CellServices } from './cell-services.ts';
import { beginMove, listMoves, type Move, requestCancel } from './move-store.ts';

/** Serves the RPCs with which operators move organizations, to one operator. */
export const moveService = (
  operator: Operator,
  {
    db,
    cells,
    wake,
  }: {
    readonly db: Database;
    readonly cells: ReadonlyMap<string, CellServices>;
    /** Called when there is work for a move. */
    readonly wake: () => void;
  },
): Implementation =>
  implement(MoveService, {
    moveOrganization: async ({ organizationId, cell }) => {
      const known = tables
        .selectFrom('organizations')
        .select(['id', 'cell'])
        .where('id', '=', requireId(organizationId, 'organization'));
      const organization = found(await execute(db, known), 'organization');
      const names = [...cells.keys()];
      const source = requireCell(names, organization.cell);
      const target = requireCell(names, cell);
      if (target === source)
        throw invalid(['cell'], 'the organization is in this cell already', cell);
      // rejects while a violation is open
      await cells.get(source)!.orders.mark({ organizationId });
      const move = await beginMove(db, {
        organization_id: organization.id,
        source,
        target,
        started_by: operator.name,
      });
      wake();
      return { move: moveOf(move) };
    },
    cancelMove: async ({ organizationId }) => {
      const move = await requestCancel(db, requireId(organizationId, 'organization'));
      wake();
      return { move: moveOf(move) };
    },
    listMoves: async ({ organizationId, beforeId }) => {
      if (organizationId !== '') requireId(organizationId, 'organization');
      const before = beforeId === '' ? greatestUuid : requireId(beforeId, 'move');
      const rows = await listMoves(db, { organizationId, before, limit: pageSize });
      return { moves: rows.map(moveOf), nextId: nextIdOf(rows) };
    },
  });

/** Returns a move as operators see it. */
const moveOf = (row: Move) => {
  const { marks, token, leased_until, next_try_at, cancel_requested, copied_rows, ...move } = row;
  return { ...shown(move), copiedRows: Number(copied_rows) };
};
