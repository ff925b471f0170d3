/** The driver's orders as the phone last read them: it shows them without a network, too. */
import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import type { Order } from '@pto/proto/orders/v1/orders';
import { ofCell, orders } from './calls.ts';
import type { Shift } from './shift.ts';
import { noteChange, openStore } from './store.ts';

export interface KnownOrder {
  readonly id: string;
  readonly driverId: string;
  /** The places, with contacts. */
  readonly open: OpenOrder;
  /** Items, seals and required evidence. */
  readonly order: Order;
  /** The newest entry of its history that the phone has seen; null: none. */
  readonly seen: { readonly entry: number; readonly hash: string } | null;
  readonly readAt: string;
  /** It is no longer among the driver's orders; it stays while records of it are not sent. */
  readonly isGone?: true;
}

/**
 * Reads the driver's orders and keeps them. An order that is gone stays while it has records that
 * are not sent, and to the end of the day.
 */
export const readOrders = async ({ driverId, cells = [] }: Shift): Promise<void> => {
  const lists = await Promise.all(
    (cells.length > 1 ? cells : [undefined]).map((cell) =>
      orders.listOpenOrders({}, cell === undefined ? {} : ofCell(cell)),
    ),
  );
  const open = lists.flatMap((list) => list.orders);
  const store = await openStore();
  const known = new Map((await store.getAll('orders')).map((one) => [one.id, one]));
  const readAt = new Date().toISOString();
  for (const one of open) {
    const before = known.get(one.id);
    known.delete(one.id);
    const isSame = before?.open.version === one.version && before.seen !== null && !before.isGone;
    if (isSame) {
      await store.put('orders', { ...before, readAt });
      continue;
    }
    const { order, head } = await orders.showOrder({ orderId: one.id, refresh: true });
    const seen = head && head.entry > 0 ? { entry: head.entry, hash: head.hash } : null;
    await store.put('orders', { id: one.id, driverId, open: one, order: order!, seen, readAt });
  }
  for (const gone of known.values()) await leave(gone);
  noteChange();
};

const dayMs = 24 * 3600 * 1000;

const leave = async (gone: KnownOrder): Promise<void> => {
  const store = await openStore();
  const records = await store.getAllFromIndex('records', 'byOrder', gone.id);
  const isOld = Date.now() - Date.parse(gone.readAt) > dayMs;
  if (isOld && records.every(({ state }) => state === 'sent')) {
    await store.delete('orders', gone.id);
    for (const { number } of records) await store.delete('records', number!);
  } else await store.put('orders', { ...gone, isGone: true });
};
