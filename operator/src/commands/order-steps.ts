import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@pto/errors';
import { nextCommand } from '@pto/order-steps';
import {
  commandRows,
  type OrderCommand,
  recordInPlaceOf,
  statusPath,
} from '@pto/proto/order-commands';
import type { Order } from '@pto/proto/orders/v1/orders';
import { commandMetadata, WrongUsage } from '../arguments.ts';
import type { Clients, OpenClients } from '../clients.ts';
import { recordIdOf } from '../record-reference.ts';
import { sendCommand } from '../send-command.ts';

type Orders = Clients['orders'];
/** The response of each step. */
interface WithOrder {
  readonly order?: Order | undefined;
}
/** The commands with a verb of their own. */
export const steps = commandRows.filter(({ call }) => call?.word !== undefined);

type Call = (request: object) => Promise<WithOrder>;
const callOf = (orders: Orders, rpc: string): Call =>
  (orders as unknown as Readonly<Record<string, Call>>)[rpc]!;

/**
 * Takes a step with the values of its flags, by their names without `--`.
 * @throws WrongUsage for a line that is missing, and its record, too.
 */
export const takeStep = async (
  open: OpenClients,
  { call, fields = [] }: OrderCommand,
  circumstances: ReturnType<typeof commandMetadata>,
  values: Readonly<Record<string, unknown>>,
): Promise<Order | undefined> => {
  const { orders } = open();
  const flagged = (flag: string) => values[/^--(\w+)/.exec(flag)![1]!];
  const given: (readonly [name: string, value: unknown])[] = [];
  for (const { name, flag, record } of fields) {
    const value = flagged(flag);
    const other = recordInPlaceOf(fields, name);
    if (other && value === undefined && flagged(other.flag) === undefined)
      throw new WrongUsage(`give ${flag} or ${other.flag}`);
    if (value !== undefined)
      given.push([name, record ? await recordIdOf(open, record.of, `${value}`) : value]);
  }
  const request = { circumstances, ...Object.fromEntries(given) };
  return (await sendCommand(circumstances, () => callOf(orders, call!.rpc)(request))).order;
};

const walkOn = 'Walk the order again: it goes on from where it is.';

/**
 * Moves an order step by step to a later status.
 * @throws Failure ILLEGAL_TRANSITION if the status cannot be reached from the order's own.
 */
export const walk = async (
  orders: Orders,
  orderId: string,
  target: string,
  pauseMs: number,
): Promise<Order> => {
  const end = statusPath.indexOf(target);
  let order = (await orders.showOrder({ orderId })).order!;
  for (;;) {
    const here = statusPath.indexOf(order.status);
    if (here === end) return order;
    if (here < 0 || here > end)
      throw new Failure(
        'ILLEGAL_TRANSITION',
        `The order cannot move from ${order.status} to ${target}.`,
        { details: { status: order.status, target } },
      );
    const [rpc, fields] = nextCommand(order)!;
    const circumstances = commandMetadata(orderId, {});
    const request = { circumstances, ...fields };
    order = (await sendCommand<WithOrder>(circumstances, () => orders[rpc](request), walkOn))
      .order!;
    if (order.status !== target) await sleep(pauseMs);
  }
};
