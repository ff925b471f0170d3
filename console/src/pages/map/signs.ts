import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import type { groundOf, Point } from '../../parts/ground.ts';
import type { WithPlaces } from '../../parts/map.tsx';

/** The sign of each column of Now, in their sequence, so that a color is not all that tells them apart. */
export const signs = {
  ...{ exceptions: '✕', late: '▲', due: '◆', mine: '■', moving: '●', later: '○' },
} as const;
export type Sign = keyof typeof signs;

/** An open order with its sign. */
export interface Signed<Order = OpenOrder> {
  readonly sign: Sign;
  readonly order: Order;
}

/** Whether an order is carried: it is somewhere between its places. */
export const isBetween = ({ status }: Pick<OpenOrder, 'status'>): boolean =>
  status === 'IN_TRANSIT';

/** Returns where an order is on the ground: at a place, or between both while it is carried. */
export const pointOf = (order: WithPlaces, { at }: ReturnType<typeof groundOf>): Point => {
  const [from, to] = [at(order.pickup), at(order.dropoff)];
  if (order.status === 'DELIVERED') return to;
  if (!isBetween(order)) return from;
  return [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
};

/** Returns where an order is, in words. */
export const placeOf = (order: WithPlaces): string => {
  const { pickup, dropoff } = order;
  if (order.status === 'DELIVERED') return `at ${dropoff.city}`;
  if (!isBetween(order)) return `from ${pickup.city}`;
  return `between ${pickup.city} and ${dropoff.city}`;
};
