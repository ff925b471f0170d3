/** A partner and an operator who do not give up: they ask again until they have an answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order } from '@pto/proto/orders/v1/orders';
import type { Mesh } from './mesh.ts';
import { operatorOrders } from './operator-orders.ts';
import { orderBody, partner } from './partner.ts';

const patienceMs = 60_000;

const persistently = async <T>(what: string, attempt: () => Promise<T | null>): Promise<T> => {
  const end = Date.now() + patienceMs;
  for (;;) {
    const result = await attempt().catch(() => null);
    if (result !== null) return result;
    if (Date.now() > end) throw new Error(`gave up on ${what}`);
    await sleep(100);
  }
};

/** Creates an order, asking again with the same key. @returns its id. */
export const createOrder = (mesh: Mesh, name: string): Promise<string> => {
  let gateway = 0;
  return persistently(`creating ${name}`, async () => {
    const replica = gateway++ % mesh.file().gateways.length;
    const answer = await partner(mesh).post(
      '/orders',
      orderBody({ external_id: name }),
      { 'idempotency-key': name },
      replica,
    );
    if (answer.status === 201) return answer.body.id as string;
    if (answer.status >= 500 || answer.status === 409) return null;
    throw new Error(`creating ${name}: ${answer.status} ${answer.text}`);
  });
};

type Orders = ReturnType<typeof operatorOrders>;
type Answer = { readonly order?: Order | undefined };
type Step = (orders: Orders, circumstances: { orderId: string }) => Promise<Answer>;

/** The command that leads on from each status. */
const steps: Readonly<Record<string, Step>> = {
  SUBMITTED: (orders, circumstances) =>
    orders.assignOrder({ circumstances, transportOrganization: 'Loaded Transport' }),
  ASSIGNED: (orders, circumstances) => orders.acceptOrder({ circumstances }),
  ACCEPTED: (orders, circumstances) =>
    orders.assignDriver({ circumstances, driver: 'Loaded Driver' }),
  DRIVER_ASSIGNED: (orders, circumstances) => orders.startPickup({ circumstances }),
  PICKUP_STARTED: (orders, circumstances) => orders.sealOrder({ circumstances, sealIds: ['S-1'] }),
  SEALED: (orders, circumstances) => orders.startTransport({ circumstances }),
  IN_TRANSIT: (orders, circumstances) => orders.deliverOrder({ circumstances }),
  DELIVERED: (orders, circumstances) => orders.closeOrder({ circumstances }),
};

/** Takes an order to its end; a step whose answer was lost is not taken twice. */
export const walkOrder = async (mesh: Mesh, id: string): Promise<void> => {
  const orders = operatorOrders(mesh);
  const statusOf = ({ order }: Answer) => order?.status ?? null;
  const show = async () => statusOf(await orders.showOrder({ orderId: id }));
  let status = await persistently(`asking for ${id}`, show);
  while (status !== 'CLOSED') {
    const step = steps[status]!;
    const before = status;
    status = await persistently(`the step after ${before} of ${id}`, async () => {
      const after = await step(orders, { orderId: id }).then(statusOf, () => null);
      return after ?? (await show());
    });
  }
};

/** Runs `work` for 0..count-1, `lanes` at a time. */
export const inLanes = async (
  count: number,
  lanes: number,
  work: (n: number) => Promise<void>,
): Promise<void> => {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
};
