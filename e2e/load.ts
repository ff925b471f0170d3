/** A partner and an operator who do not give up: they ask again until they have an answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Mesh } from './mesh.ts';
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

/** What leads on from each status, over the operator's internal port: Connect is plain HTTP. */
const steps: Readonly<Record<string, readonly [rpc: string, more: object]>> = {
  SUBMITTED: ['AssignOrder', { transportOrganization: 'Loaded Transport' }],
  ASSIGNED: ['AcceptOrder', {}],
  ACCEPTED: ['AssignDriver', { driver: 'Loaded Driver' }],
  DRIVER_ASSIGNED: ['StartPickup', {}],
  PICKUP_STARTED: ['SealOrder', { sealIds: ['S-1'] }],
  SEALED: ['StartTransport', {}],
  IN_TRANSIT: ['DeliverOrder', {}],
  DELIVERED: ['CloseOrder', {}],
};

const command = async (mesh: Mesh, rpc: string, body: object): Promise<string | null> => {
  const { OPERATOR_ORDERS_URL, OPERATOR_TOKEN } = mesh.file().operator.env;
  const url = `${OPERATOR_ORDERS_URL}/orders.v1.OrderCommandService/${rpc}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  const { order } = (await response.json()) as { order?: { status: string } };
  return order?.status ?? null;
};

/** Takes an order to its end; a step whose answer was lost is not taken twice. */
export const walkOrder = async (mesh: Mesh, id: string): Promise<void> => {
  const show = () => command(mesh, 'ShowOrder', { orderId: id });
  let status = await persistently(`asking for ${id}`, show);
  while (status !== 'CLOSED') {
    const [rpc, more] = steps[status]!;
    const step = () => command(mesh, rpc, { circumstances: { orderId: id }, ...more });
    status = await persistently(`${rpc} of ${id}`, async () => {
      const after = await step().catch(() => null);
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
