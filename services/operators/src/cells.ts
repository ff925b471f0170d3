import type { Message } from '@bufbuild/protobuf';
import { mainCell } from '@pto/config';
import { execute, type Sql } from '@pto/database';
import { Failure } from '@pto/errors';
import { isHeld, repeatWhileHeld } from '@pto/moves';
import { callers } from '@pto/proto/callers';
import { LedgerService } from '@pto/proto/custody/v1/custody';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { ViolationService } from '@pto/proto/orders/v1/violations';
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
 * The services about a cell's ledger. It has chains that orders of the same cell does not know: of
 * an organization that has moved away, and of an order that orders lost in a restore.
 */
const ofLedgers: readonly string[] = [LedgerService.typeName, ViolationService.typeName];

/**
 * Finds the cell of an operator's call and sends it there. With several cells: that of the
 * organization that the request names; that of its order's organization, unless the operator named
 * the cell of a ledger; that which the operator named; for another id, the cell that knows it. A
 * call that meets a move is sent again.
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
  if (named !== undefined && ofLedgers.includes(service)) return send(requireCell(cells, named));
  const { organizationId } = request as { readonly organizationId?: unknown };
  if (typeof organizationId === 'string' && organizationId !== '')
    return send(requireCell(cells, await cellOfOrganization(sql, organizationId)));
  const path = callers[service]?.[rpc]?.target ?? '';
  const id = textAt(request, path);
  if (path.endsWith('orderId') && id !== '')
    return send(
      requireCell(cells, await cellOfOrder(sql, cells, call, (cell) => organizationOf(cell, id))),
    );
  if (named !== undefined) return send(requireCell(cells, named));
  if (['id', 'endpointId'].includes(path) && id !== '') return firstThatKnows(cells, send);
  throw new Failure('VALIDATION', `Name one of the cells: ${cells.join(', ')}.`);
};

/**
 * Returns the cell of the organization of an order. If no cell's orders knows the order, it is the
 * cell that the operator named.
 * @throws Failure NOT_FOUND, and as `firstThatKnows`
 */
const cellOfOrder = async (
  sql: Sql,
  cells: readonly string[],
  { service, named }: CellOfCall,
  organizationIn: (cell: string) => Promise<string>,
): Promise<string> => {
  let organizationId: string;
  try {
    organizationId = await firstThatKnows(cells, organizationIn);
  } catch (error) {
    if (!isUnknown(error)) throw error;
    if (named !== undefined) return requireCell(cells, named);
    if (service === OrderCommandService.typeName) throw error;
    throw new Failure(
      'NOT_FOUND',
      `In no cell does orders know this order. If a ledger has it, name the cell: ${cells.map((cell) => `--cell ${cell}`).join(' or ')}.`,
      { details: { resource: 'order' } },
    );
  }
  return cellOfOrganization(sql, organizationId);
};

const isUnknown = (error: unknown): boolean =>
  error instanceof Failure && error.kind === 'NOT_FOUND';

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
      if (!isUnknown(error) && !isHeld(error)) throw error;
      unknown = isHeld(unknown) ? unknown : error;
    }
  throw unknown;
};
