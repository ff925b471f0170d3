/** The driver's orders as the phone last read them: it shows them without a network, too. */
import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import type { Order } from '@pto/proto/orders/v1/orders';
import { failureOf } from '../calls/failure.ts';
import { ofCell, orders } from './calls.ts';
import type { Shift } from './shift.ts';
import { noteChange, openStore, recordsOf } from './store.ts';

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
  /**
   * It is no longer among the driver's orders. Its status says whether it has ended; else the office
   * has given it to somebody else.
   */
  readonly isGone?: true;
}

/**
 * Reads the driver's orders and keeps them. An order that is gone stays for a day, and while it has
 * records that are not sent.
 */
export const readOrders = async ({ driverId, cells = [] }: Shift): Promise<void> => {
  const lists = await Promise.all(
    (cells.length > 1 ? cells : [undefined]).map((cell) =>
      orders.listOpenOrders({}, cell === undefined ? {} : ofCell(cell)),
    ),
  );
  const open = lists.flatMap((list) => list.orders);
  // another driver has just begun a shift on this phone
  if (open.some((one) => one.driverId !== driverId)) return;
  const store = await openStore();
  await forgetOrders(driverId);
  const own = (await store.getAll('orders')).filter((one) => one.driverId === driverId);
  const known = new Map(own.map((one) => [one.id, one]));
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

/** An order that is gone is read once more, for how it ended. */
const leave = async (gone: KnownOrder): Promise<void> => {
  const store = await openStore();
  const isOld = Date.now() - Date.parse(gone.readAt) > dayMs;
  if (gone.isGone) return isOld ? forget(gone) : undefined;
  const { order } = await orders.showOrder({ orderId: gone.id, refresh: true }).catch((error) => {
    if (failureOf(error).kind === 'NOT_FOUND') return gone;
    throw error;
  });
  await store.put('orders', { ...gone, order: order ?? gone.order, isGone: true });
};

/**
 * Removes the orders of other drivers from the phone, with their addresses and numbers.
 * @param driverId whose orders stay; absent: nobody's, as the shift has ended.
 */
export const forgetOrders = async (driverId?: string): Promise<void> => {
  for (const one of await (await openStore()).getAll('orders'))
    if (one.driverId !== driverId) await forget(one);
};

/** Removes an order with its records, unless one of them has yet to be sent. */
const forget = async ({ driverId, id }: KnownOrder): Promise<void> => {
  const store = await openStore();
  const records = await recordsOf(driverId, id);
  if (records.some(({ state }) => state === 'waiting')) return;
  for (const { number } of records) await store.delete('records', number!);
  await store.delete('orders', [driverId, id]);
};
