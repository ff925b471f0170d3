import type { Database } from '@pto/database';
import { execute, greatestUuid } from '@pto/database';
import { Failure, invalid } from '@pto/errors';
import { MoveService } from '@pto/proto/access/v1/moves';
import { type ViolationService, ViolationState } from '@pto/proto/orders/v1/violations';
import { type ConnectClient, type Implementation, implement } from '@pto/rpc';
import { requireCell } from '../cells.ts';
import { found, nextIdOf, pageSize, requireId, shown } from '../fields.ts';
import type { Operator } from '../identity/operator.ts';
import { tables } from '../schema/tables.ts';
import { beginMove, listMoves, type Move, requestCancel } from './move-store.ts';

/** Serves the RPCs with which operators move organizations, to one operator. */
export const moveService = (
  operator: Operator,
  {
    db,
    cells,
    violations,
  }: {
    readonly db: Database;
    readonly cells: readonly string[];
    /** Returns the client of a cell that lists its violations. */
    readonly violations: (cell: string) => ConnectClient<typeof ViolationService>;
  },
): Implementation =>
  implement(MoveService, {
    moveOrganization: async ({ organizationId, cell }) => {
      const known = tables
        .selectFrom('organizations')
        .select(['id', 'cell'])
        .where('id', '=', requireId(organizationId, 'organization'));
      const organization = found(await execute(db, known), 'organization');
      const source = requireCell(cells, organization.cell);
      const target = requireCell(cells, cell);
      if (target === source)
        throw invalid(['cell'], 'the organization is in this cell already', cell);
      await rejectViolation(violations(source), organizationId, operator.name);
      const move = await beginMove(db, {
        organization_id: organization.id,
        source,
        target,
        started_by: operator.name,
      });
      return { move: moveOf(move) };
    },
    cancelMove: async ({ organizationId }) => {
      const move = await requestCancel(db, requireId(organizationId, 'organization'));
      return { move: moveOf(move) };
    },
    listMoves: async ({ organizationId, beforeId }) => {
      if (organizationId !== '') requireId(organizationId, 'organization');
      const before = beforeId === '' ? greatestUuid : requireId(beforeId, 'move');
      const rows = await listMoves(db, { organizationId, before, limit: pageSize });
      return { moves: rows.map(moveOf), nextId: nextIdOf(rows) };
    },
  });

/** @throws Failure ILLEGAL_TRANSITION while a violation of the organization or of the log is open */
const rejectViolation = async (
  client: ConnectClient<typeof ViolationService>,
  organizationId: string,
  operator: string,
): Promise<void> => {
  const open = { state: ViolationState.OPEN, organizationId, pageSize: 1 };
  const [violation] = (await client.listViolations(open, { operator })).violations;
  if (!violation) return;
  const { id, orderId } = violation;
  const [of, words] =
    orderId === '' ? ['the log', `${id} --violation`] : [`order ${orderId}`, orderId];
  throw new Failure(
    'ILLEGAL_TRANSITION',
    `A violation of ${of} is open. Acknowledge it first: operator ledger acknowledge ${words} --reason TEXT`,
  );
};

/** Returns a move as operators see it. */
const moveOf = (row: Move) => {
  const { marks, token, next_try_at, cancel_requested, copied_rows, ...move } = row;
  return { ...shown(move), copiedRows: Number(copied_rows) };
};
