import type { Message } from '@bufbuild/protobuf';
import { mainCell } from '@pto/config';
import { execute, type Sql } from '@pto/database';
import { Failure } from '@pto/errors';
import { isHeld, repeatWhileHeld } from '@pto/moves';
import { callers } from '@pto/proto/callers';
import { found, requireId, textAt } from './fields.ts';
import { tables } from './schema/tables.ts';

/** @throws Failure VALIDATION if the installation has no such cell */
export const requireCell = (cells: readonly string[], cell: string): string => {
  if (cells.includes(cell)) return cell;
  throw new Failure('VALIDATION', `There is no cell ${cell}. The cells: ${cells.join(', ')}.`);
};

/** Returns the cell of an organization. @throws Failure NOT_FOUND */
const cellOfOrganization = async (sql: Sql, id: string): Promise<string> => {
  const known = tables
    .selectFrom('organizations')
    .select('cell')
    .where('id', '=', requireId(id, 'organization'));
  return found(await execute(sql, known), 'organization').cell;
};

/** What a call says about its cell. */
export interface CellOfCall {
  /** Names the RPC, such as `orders.v1.OrderCommandService` and `ShowOrder`. */
  readonly service: string;
  readonly rpc: string;
  readonly request: Message;
  /** What the operator has named; undefined: nothing. */
  readonly named: string | undefined;
  /** A time of `performance.now()`; undefined: the call has none. */
  readonly deadline: number | undefined;
}

/** For how long a call without a deadline is sent again while a move holds the organization, in ms. */
const heldMaxMs = 10_000;

/**
 * Finds the cell of an operator's call and sends it there. With several cells: that of the
 * organization that the request names, or of the organization of its order; that which the operator
 * named; for another id, the cell that knows it. A call that meets a move is sent again.
 * @param send sends the call to a cell. A call that fails with NOT_FOUND changes nothing.
 * @param organizationOf returns the organization of an order that a cell knows.
 */
export const sendToCell = async (
  sql: Sql,
  cells: readonly string[],
  call: CellOfCall,
  send: (cell: string) => Promise<object>,
  organizationOf: (cell: string, orderId: string) => Promise<string>,
): Promise<object> =>
  cells.length === 1
    ? send(mainCell)
    : repeatWhileHeld(call.deadline ?? performance.now() + heldMaxMs, () =>
        sendOnce(sql, cells, call, send, organizationOf),
      );

const sendOnce = async (
  ...[sql, cells, call, send, organizationOf]: Parameters<typeof sendToCell>
): Promise<object> => {
  const { service, rpc, request, named } = call;
  const { organizationId } = request as { readonly organizationId?: unknown };
  if (typeof organizationId === 'string' && organizationId !== '')
    return send(requireCell(cells, await cellOfOrganization(sql, organizationId)));
  const path = callers[service]?.[rpc]?.target ?? '';
  const id = textAt(request, path);
  if (path.endsWith('orderId') && id !== '')
    return send(
      requireCell(
        cells,
        await cellOfOrganization(
          sql,
          await firstThatKnows(cells, (cell) => organizationOf(cell, id)),
        ),
      ),
    );
  if (named !== undefined) return send(requireCell(cells, named));
  if (['id', 'endpointId'].includes(path) && id !== '') return firstThatKnows(cells, send);
  throw new Failure('VALIDATION', `Name one of the cells: ${cells.join(', ')}.`);
};

/**
 * Returns the answer of the first cell that knows it. A cell from which the organization moves, or has
 * moved, says that it is held.
 * @throws Failure NOT_FOUND if no cell knows it, ORGANIZATION_HELD if one held it; the first other
 *   failure
 */
const firstThatKnows = async <T>(
  cells: readonly string[],
  look: (cell: string) => Promise<T>,
): Promise<T> => {
  let unknown: unknown;
  for (const cell of cells)
    try {
      return await look(cell);
    } catch (error) {
      const isUnknown = error instanceof Failure && error.kind === 'NOT_FOUND';
      if (!isUnknown && !isHeld(error)) throw error;
      unknown = isHeld(unknown) ? unknown : error;
    }
  throw unknown;
};
