/** The steps of an order through its statuses, and the command of each step. */
import type { Order } from '@pto/proto/orders/v1/orders';
import { orderStatuses } from '@pto/proto/vocabulary';

/**
 * The statuses of an order that is not cancelled, in the order in which the order passes through
 * them (decisions, "Order states").
 */
export const lineOfLife: readonly string[] = orderStatuses.filter((s) => s !== 'CANCELLED');

/** The RPC of OrderCommandService that moves an order on, and its fields besides the metadata. */
export type NextCommand = readonly [rpc: NextRpc, fields?: Readonly<Record<string, unknown>>];

type NextRpc =
  | 'submitOrder'
  | 'assignOrder'
  | 'acceptOrder'
  | 'assignDriver'
  | 'startPickup'
  | 'sealOrder'
  | 'startTransport'
  | 'deliverOrder'
  | 'closeOrder';

/** Returns the seals that {@link nextCommand} applies: one for each item, and at least one. */
export const inventedSealIds = ({ id, items }: Pick<Order, 'id' | 'items'>): string[] =>
  Array.from({ length: Math.max(items.length, 1) }, (_, n) => `S-${id.slice(0, 8)}-${n + 1}`);

/** The names that {@link nextCommand} gives to those who move the order. */
export const invented = {
  transportOrganization: 'Walking Transport',
  driver: 'Walking Driver',
} as const satisfies Record<string, string>;
export type Invented = Readonly<Record<keyof typeof invented, string>>;

type Next = (order: Pick<Order, 'id' | 'items'>, names: Invented) => NextCommand;

const next: Readonly<Record<string, Next>> = {
  DRAFT: () => ['submitOrder'],
  SUBMITTED: (_, { transportOrganization }) => ['assignOrder', { transportOrganization }],
  ASSIGNED: () => ['acceptOrder'],
  ACCEPTED: (_, { driver }) => ['assignDriver', { driver }],
  DRIVER_ASSIGNED: () => ['startPickup'],
  PICKUP_STARTED: (order) => ['sealOrder', { sealIds: inventedSealIds(order) }],
  SEALED: () => ['startTransport'],
  IN_TRANSIT: () => ['deliverOrder'],
  DELIVERED: () => ['closeOrder'],
};

/**
 * Returns the command that moves an order to the next status. Names that the command requires are
 * invented. Undefined: no command moves a CLOSED or CANCELLED order.
 */
export const nextCommand = (
  order: Pick<Order, 'id' | 'items' | 'status'>,
  names: Invented = invented,
): NextCommand | undefined => next[order.status]?.(order, names);
