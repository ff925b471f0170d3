/** The driver's orders as the phone last read them: it shows them without a network, too. */
import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import type { Order } from '@pto/proto/orders/v1/orders';
import { failureOf } from '../calls/failure.ts';
import { ofCell, orders } from './calls.ts';
import { draftsOf } from './draft.ts';
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

/** Reads the driver's orders and keeps them. An order that is gone stays for a day. */
export const readOrders = async (shift: Shift): Promise<void> => {
  const { driverId, cells = [] } = shift;
  const lists = await Promise.all(
    (cells.length > 1 ? cells : [undefined]).map((cell) =>
      orders.listOpenOrders({}, cell === undefined ? {} : ofCell(cell)),
    ),
  );
  const open = lists.flatMap((list) => list.orders);
  // another driver has just begun a shift on this phone
  if (open.some((one) => one.driverId !== driverId)) return;
  const store = await openStore();
  const all = await store.getAll('orders');
  const others = all.filter((one) => one.driverId !== driverId);
  const known = new Map(all.filter((one) => !others.includes(one)).map((one) => [one.id, one]));
  for (const one of others) await forget(one);
  const readAt = new Date().toISOString();
  for (const one of open) {
    const before = known.get(one.id);
    known.delete(one.id);
    const isSame = before?.open.version === one.version && before.seen !== null && !before.isGone;
    if (isSame) {
      await put(shift, { ...before, readAt });
      continue;
    }
    const { order, head } = await orders.showOrder({ orderId: one.id, refresh: true });
    const seen = head && head.entry > 0 ? { entry: head.entry, hash: head.hash } : null;
    await put(shift, { id: one.id, driverId, open: one, order: order!, seen, readAt });
  }
  for (const gone of known.values()) await leave(shift, gone);
  await forgetLeft(driverId);
  noteChange();
};

/** Keeps an order, unless the shift has ended while it was read. */
const put = async ({ id }: Shift, order: KnownOrder): Promise<void> => {
  const writing = (await openStore()).transaction(['shift', 'orders'], 'readwrite');
  if ((await writing.objectStore('shift').get('shift'))?.id === id)
    await writing.objectStore('orders').put(order);
  await writing.done;
};

const dayMs = 24 * 3600 * 1000;
const isOld = (at: string): boolean => Date.now() - Date.parse(at) > dayMs;

/** An order that is gone is read once more, for how it ended. */
const leave = async (shift: Shift, gone: KnownOrder): Promise<void> => {
  if (gone.isGone) return isOld(gone.readAt) ? forget(gone) : undefined;
  const { order } = await orders.showOrder({ orderId: gone.id, refresh: true }).catch((error) => {
    if (failureOf(error).kind === 'NOT_FOUND') return gone;
    throw error;
  });
  await (await openStore()).delete('drafts', draftsOf(gone.driverId, gone.id));
  await put(shift, { ...gone, order: order ?? gone.order, isGone: true });
};

/** Removes an order from the phone, with its form and its records; those that are not sent stay. */
const forget = async ({ driverId, id }: KnownOrder): Promise<void> => {
  const store = await openStore();
  for (const { number, state } of await recordsOf(driverId, id))
    if (state !== 'waiting') await store.delete('records', number!);
  await store.delete('drafts', draftsOf(driverId, id));
  await store.delete('orders', [driverId, id]);
};

/** Removes records of earlier shifts on orders that the phone no longer has: those sent, and old ones. */
const forgetLeft = async (driverId: string): Promise<void> => {
  const store = await openStore();
  const known = (await store.getAllKeys('orders')).map(([, id]) => id);
  for (const { number, state, at, ...of } of await store.getAll('records'))
    if (of.driverId === driverId && !known.includes(of.orderId))
      if (state === 'sent' || (state !== 'waiting' && isOld(at)))
        await store.delete('records', number!);
};
