import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@pto/errors';
import { lineOfLife, nextCommand } from '@pto/order-steps';
import type { Order } from '@pto/proto/orders/v1/orders';
import { commandMetadata } from '../arguments.ts';
import type { Clients } from '../clients.ts';
import { sendCommand } from '../send-command.ts';

export type Orders = Clients['orders'];
type Rpc = Exclude<
  keyof Orders,
  | 'showOrder'
  | 'findOrders'
  | 'searchOrders'
  | 'listOrganizationOrders'
  | 'exportArtifact'
  | 'recordHandover'
  | 'recordCondition'
  | 'erasePersonalData'
>;
/** The response of each step. */
interface WithOrder {
  readonly order?: Order | undefined;
}
type KeysOf<Request> = Request extends unknown ? keyof Request : never;

/** A verb of the command line, its flags, and the RPC that it calls. */
export interface Step {
  readonly word: string;
  readonly does: string;
  readonly rpc: Rpc;
  /** Each flag with the field of the request that it sets. */
  readonly flags?: readonly (readonly [
    flag: string,
    says: string,
    field: KeysOf<Parameters<Orders[Rpc]>[0]>,
  ])[];
  /** `optional`: no flag is required; `repeatable`: each flag may be given several times. */
  readonly kind?: 'optional' | 'repeatable';
  /** What the person confirms before a step that cannot be undone, about `ORDER`. */
  readonly asks?: string;
}

export const steps: readonly Step[] = [
  { word: 'submit', does: 'submit a DRAFT', rpc: 'submitOrder' },
  {
    word: 'assign',
    does: 'assign it to a transport organization',
    rpc: 'assignOrder',
    flags: [['--to <name>', 'the transport organization', 'transportOrganization']],
  },
  { word: 'decline', does: 'the transport organization declines', rpc: 'declineAssignment' },
  { word: 'accept', does: 'the transport organization accepts', rpc: 'acceptOrder' },
  {
    word: 'driver',
    does: 'assign a driver',
    rpc: 'assignDriver',
    flags: [['--name <name>', 'the driver', 'driver']],
  },
  { word: 'release-driver', does: 'the driver drops out', rpc: 'releaseDriver' },
  { word: 'start-pickup', does: 'pickup begins, and with it custody', rpc: 'startPickup' },
  {
    word: 'seal',
    does: 'goods are sealed: one seal for each item, in their order',
    rpc: 'sealOrder',
    flags: [['--seal <id>', 'a seal (repeatable)', 'sealIds']],
    kind: 'repeatable',
  },
  { word: 'start-transport', does: 'the transport is under way', rpc: 'startTransport' },
  { word: 'deliver', does: 'the goods are handed over', rpc: 'deliverOrder' },
  { word: 'close', does: 'the order is complete', rpc: 'closeOrder' },
  {
    word: 'cancel',
    does: 'cancel it, before custody has begun',
    rpc: 'cancelOrder',
    flags: [['--reason <text>', 'why', 'reason']],
    asks: 'Order ORDER will be cancelled.',
  },
  {
    word: 'incident',
    does: 'report an incident',
    rpc: 'reportIncident',
    flags: [['--note <text>', 'what happened; becomes part of the custody history', 'note']],
  },
  {
    word: 'escalate',
    does: 'escalate it',
    rpc: 'escalateOrder',
    flags: [['--note <text>', 'why; becomes part of the custody history', 'note']],
  },
  {
    word: 'update',
    does: 'change its price or notes',
    rpc: 'updateOrder',
    flags: [
      ['--price <amount>', 'such as 12.50', 'priceTotal'],
      ['--notes <text>', 'at most 2000 characters', 'notes'],
    ],
    kind: 'optional',
  },
];

/** Takes a step with the values of its flags, by their names without `--`. */
export const takeStep = async (
  orders: Orders,
  { rpc, flags = [] }: Step,
  circumstances: ReturnType<typeof commandMetadata>,
  values: Readonly<Record<string, unknown>>,
): Promise<Order | undefined> => {
  const fields = flags.flatMap(([flag, , field]) => {
    const value = values[/^--(\w+)/.exec(flag)![1]!];
    return value === undefined ? [] : [[field, value] as const];
  });
  const request = { circumstances, ...Object.fromEntries(fields) };
  return (await sendCommand<WithOrder>(circumstances, () => orders[rpc](request))).order;
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
  const end = lineOfLife.indexOf(target);
  let order = (await orders.showOrder({ orderId })).order!;
  for (;;) {
    const here = lineOfLife.indexOf(order.status);
    if (here === end) return order;
    if (here < 0 || here > end)
      throw new Failure(
        'ILLEGAL_TRANSITION',
        `The order cannot move from ${order.status} to ${target}.`,
        { details: { status: order.status, target } },
      );
    const [rpc, fields = {}] = nextCommand(order)!;
    const circumstances = commandMetadata(orderId, {});
    const request = { circumstances, ...fields };
    order = (await sendCommand<WithOrder>(circumstances, () => orders[rpc](request), walkOn))
      .order!;
    if (order.status !== target) await sleep(pauseMs);
  }
};
