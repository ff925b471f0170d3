import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import { useQueryClient } from '@tanstack/react-query';
import { clients } from '../calls/clients.ts';
import { useCall } from '../calls/use-call.ts';
import { knownBytes } from './known.ts';

interface Board {
  readonly orders: readonly OpenOrder[];
  /** Whether more orders are open than the board reads. */
  readonly hasMore: boolean;
}

/** Time between two reads while the board is not shown, for the counts of the frame, in ms. */
export const unshownMs = 15_000;

export const boardKey = ['board'] as const;

/** What a command changes: its order, and the board. */
export const changesOf = (orderId: string) => [['order', orderId], boardKey] as const;

/**
 * Reads all open orders: from the service those alone that changed since the last read, so that an
 * order that did not change stays the same object and is not drawn again.
 * @param everyMs time between two reads.
 * @param isWatched also while the page is hidden, for notifications.
 */
export const useBoard = (options: { everyMs?: number; isWatched?: boolean }) => {
  const queries = useQueryClient();
  return useCall<Board>(
    boardKey,
    async () => {
      const before = queries.getQueryData<Board>(boardKey)?.orders ?? [];
      const request = { known: knownBytes(before), refresh: true };
      const { orders, gone, hasMore } = await clients.orders.listOpenOrders(request);
      const all = new Map(before.map((order) => [order.id, order]));
      for (const id of gone) all.delete(id);
      for (const order of orders) all.set(order.id, order);
      return { orders: [...all.values()], hasMore };
    },
    { live: true, ...options },
  );
};
