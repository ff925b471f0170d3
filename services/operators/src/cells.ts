import type { Message } from '@bufbuild/protobuf';
import { mainCell } from '@pto/config';
import { execute, type Sql } from '@pto/database';
import { Failure, privateCause } from '@pto/errors';
import { isHeld, repeatWhileHeld } from '@pto/moves';
import { callers } from '@pto/proto/callers';
import { LedgerService } from '@pto/proto/custody/v1/custody';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { ViolationService } from '@pto/proto/orders/v1/violations';
import { found, requireId, textAt } from './fields.ts';
import { firstThatKnows, isUnknown } from './first-that-knows.ts';
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
  /** Whether the RPC has no side effects. */
  readonly isRead: boolean;
  /** What the operator has named; undefined: nothing. */
  readonly named: string | undefined;
  /** A time of `performance.now()`; undefined: the call has none. */
  readonly deadline: number | undefined;
}

/** How a call and the look-ups before it reach a cell. Each fails with NOT_FOUND for an unknown id. */
export interface ToCell {
  /**
   * Sends the call. A call that fails with NOT_FOUND changes nothing.
   * @param deadline another one than that of the call.
   */
  send(cell: string, deadline?: number): Promise<object>;
  /** Returns the organization of an order. */
  organizationOf(cell: string, orderId: string, deadline: number): Promise<string>;
  /**
   * Reads what the call changes by its id. Absent if no RPC reads that; such ids do not move to
   * another cell.
   */
  readonly find: ((cell: string, deadline: number) => Promise<unknown>) | undefined;
}

/** Maximum duration of a look-up before a call in ms: half of an operator's 10 s is left for the call. */
const lookUpMs = 5000;

/** For how long a call without a deadline is sent again while a move holds the organization, in ms. */
const heldMaxMs = 10_000;

/**
 * Time before the deadline in ms in which no call is sent again, and no look-up is waited for: the
 * operator gets the error.
 */
const reserveMs = 500;

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
 */
export const sendToCell = async (
  sql: Sql,
  cells: readonly string[],
  call: CellOfCall,
  to: ToCell,
): Promise<object> => {
  if (cells.length === 1) return to.send(mainCell);
  const deadline = call.deadline ?? performance.now() + heldMaxMs;
  try {
    return await repeatWhileHeld(deadline - reserveMs, () =>
      sendOnce(sql, cells, { ...call, deadline }, to),
    );
  } catch (error) {
    const { named } = call;
    if (named === undefined || !(error instanceof Failure) || !isHeld(privateCause(error)))
      throw error;
    throw new Failure(
      'SERVICE_UNAVAILABLE',
      `The organization moves to another cell, or has left the cell ${named}. Repeat the call without --cell.`,
      { cause: error, retryAfterSeconds: 5 },
    );
  }
};

const sendOnce = async (
  sql: Sql,
  cells: readonly string[],
  call: CellOfCall & { readonly deadline: number },
  { send, organizationOf, find }: ToCell,
): Promise<object> => {
  const { service, rpc, request, named, isRead, deadline } = call;
  if (named !== undefined && ofLedgers.includes(service)) return send(requireCell(cells, named));
  const { organizationId } = request as { readonly organizationId?: unknown };
  if (typeof organizationId === 'string' && organizationId !== '')
    return send(requireCell(cells, await cellOfOrganization(sql, organizationId)));
  const path = callers[service]?.[rpc]?.target ?? '';
  const id = textAt(request, path);
  const soon = Math.min(deadline - reserveMs, performance.now() + lookUpMs);
  if (path.endsWith('orderId') && id !== '')
    return send(
      requireCell(
        cells,
        await cellOfOrder(sql, cells, call, (cell) => organizationOf(cell, id, soon)),
      ),
    );
  if (named !== undefined) return send(requireCell(cells, named));
  if (!['id', 'endpointId'].includes(path) || id === '')
    throw new Failure('VALIDATION', `Name one of the cells: ${cells.join(', ')}.`);
  if (isRead || !find) return firstThatKnows(cells, (cell) => send(cell, deadline - reserveMs));
  // a change goes to one cell: two could make it, before and after the switch of a move
  return send(await firstThatKnows(cells, (cell) => find(cell, soon).then(() => cell)));
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
