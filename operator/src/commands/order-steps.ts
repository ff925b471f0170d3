import type { Order } from '@pto/proto/orders/v1/orders';
import type { commandMetadata } from '../arguments.ts';
import type { Clients } from '../clients.ts';

export type Orders = Clients['orders'];
type CommandMetadata = ReturnType<typeof commandMetadata>;
export type Flags = Record<string, string & string[]>;

/** A verb of the command line, its flags, and the RPC that it calls. */
export interface Step {
  readonly word: string;
  readonly does: string;
  readonly flags?: readonly (readonly [flag: string, says: string, repeatable?: true])[];
  readonly optional?: true;
  readonly run: (
    orders: Orders,
    at: CommandMetadata,
    flags: Flags,
  ) => Promise<{ order?: Order | undefined }>;
}

export const steps: readonly Step[] = [
  {
    word: 'submit',
    does: 'submit a DRAFT',
    run: (orders, at) => orders.submitOrder({ circumstances: at }),
  },
  {
    word: 'assign',
    does: 'assign it to a transport organization',
    flags: [['--to <name>', 'the transport organization']],
    run: (orders, at, { to }) =>
      orders.assignOrder({ circumstances: at, transportOrganization: to! }),
  },
  {
    word: 'decline',
    does: 'the transport organization declines',
    run: (orders, at) => orders.declineAssignment({ circumstances: at }),
  },
  {
    word: 'accept',
    does: 'the transport organization accepts',
    run: (orders, at) => orders.acceptOrder({ circumstances: at }),
  },
  {
    word: 'driver',
    does: 'assign a driver',
    flags: [['--name <name>', 'the driver']],
    run: (orders, at, { name }) => orders.assignDriver({ circumstances: at, driver: name! }),
  },
  {
    word: 'release-driver',
    does: 'the driver drops out',
    run: (orders, at) => orders.releaseDriver({ circumstances: at }),
  },
  {
    word: 'start-pickup',
    does: 'pickup begins, and with it custody',
    run: (orders, at) => orders.startPickup({ circumstances: at }),
  },
  {
    word: 'seal',
    does: 'goods are sealed: one seal for each item, in their order',
    flags: [['--seal <id>', 'a seal (repeatable)', true]],
    run: (orders, at, { seal }) => orders.sealOrder({ circumstances: at, sealIds: seal! }),
  },
  {
    word: 'start-transport',
    does: 'the transport is under way',
    run: (orders, at) => orders.startTransport({ circumstances: at }),
  },
  {
    word: 'deliver',
    does: 'the goods are handed over',
    run: (orders, at) => orders.deliverOrder({ circumstances: at }),
  },
  {
    word: 'close',
    does: 'the order is complete',
    run: (orders, at) => orders.closeOrder({ circumstances: at }),
  },
  {
    word: 'cancel',
    does: 'cancel it, before custody has begun',
    flags: [['--reason <text>', 'why']],
    run: (orders, at, { reason }) => orders.cancelOrder({ circumstances: at, reason: reason! }),
  },
  {
    word: 'incident',
    does: 'report an incident',
    flags: [['--note <text>', 'what happened; becomes part of the custody history']],
    run: (orders, at, { note }) => orders.reportIncident({ circumstances: at, note: note! }),
  },
  {
    word: 'escalate',
    does: 'escalate it',
    flags: [['--note <text>', 'why; becomes part of the custody history']],
    run: (orders, at, { note }) => orders.escalateOrder({ circumstances: at, note: note! }),
  },
  {
    word: 'update',
    does: 'change its price or notes',
    optional: true,
    flags: [
      ['--price <amount>', 'such as 12.50'],
      ['--notes <text>', 'at most 2000 characters'],
    ],
    run: (orders, at, { price, notes }) =>
      orders.updateOrder({
        circumstances: at,
        ...(price !== undefined && { priceTotal: price }),
        ...(notes !== undefined && { notes }),
      }),
  },
];
