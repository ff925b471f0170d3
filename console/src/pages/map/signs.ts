import type { OpenOrder } from '@pto/proto/orders/v1/commands';

/**
 * The sign of each column of Now, so that a color is not all that tells them apart; what is late comes
 * first.
 */
export const signs = {
  ...{ late: '▲', exceptions: '✕', due: '◆', mine: '■', moving: '●', later: '○' },
} as const;
export type Sign = keyof typeof signs;

/** An open order with its sign. */
export interface Signed<Order = OpenOrder> {
  readonly sign: Sign;
  readonly order: Order;
}
