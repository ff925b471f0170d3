/** Reads, after healing, all that the invariants judge. */
import { readFileSync } from 'node:fs';
import { until } from '@pto/testing';
import { operator, operatorClients } from '../operator.ts';
import { isSigned, type Received } from '../receiver.ts';
import type {
  DeliverySeen,
  EndpointSeen,
  Observation,
  OrderSeen,
  ProcessSeen,
} from './observation.ts';
import { proofVerdict, walkList } from './operations/read.ts';
import { type Endpoint, send, type World } from './world.ts';

/** One request until it succeeds. */
const insist = async <T>(
  what: string,
  attempt: () => Promise<T | null | undefined>,
): Promise<T> => {
  const found = async () => {
    const value = await attempt();
    return value === null || value === undefined ? null : { value }; // the value may be 0
  };
  return (await until(found, { what, deadlineMs: 60_000 })).value;
};

export const sequenceOf = async (world: World, orderId: string): Promise<number> =>
  (await operatorClients(world.stack).orders.showOrder({ orderId })).order!.sequence;

export const chainOf = async (
  world: World,
  orderId: string,
): Promise<OrderSeen['chain'] | undefined> => {
  const answer = await send(world, 'GET', `/orders/${orderId}/events`);
  return answer.status === 200 ? answer.body : undefined;
};

export const everyOrder = (world: World) => insist('all orders', () => walkList(world));

const orderSeen = async (
  world: World,
  listed: Awaited<ReturnType<typeof everyOrder>>[number],
): Promise<OrderSeen> => {
  const { id, external_id: externalId, status, updated_at: updatedAt } = listed;
  return {
    ...{ id, externalId, status, updatedAt },
    sequence: await insist(`order ${id}`, () => sequenceOf(world, id)),
    chain: await insist(`events of ${id}`, () => chainOf(world, id)),
    proof: await insist(`proof of ${id}`, () => proofVerdict(world, id)),
  };
};

const deliverySeen = async (one: Received, secrets: readonly string[]): Promise<DeliverySeen> => ({
  ...eventOf(one),
  delivery: one.delivery,
  stream: one.body.sequence,
  signed: await isSigned(one, secrets),
  bytes: one.bytes,
});

/** The order and the number of its event that a delivery is about. */
export const eventOf = ({ body }: Received): { orderId: string; sequence: number } => {
  const { id: orderId, sequence } = body.data.order;
  return { orderId, sequence };
};

/** Deliveries of orders' events; sample events are none. */
export const deliveriesTo = ({ receivers }: Endpoint): Received[] =>
  receivers.flatMap(({ received }) => received.filter(({ event }) => event !== 'order.test'));

const endpointSeen = async (endpoint: Endpoint): Promise<EndpointSeen> => ({
  name: endpoint.name,
  deliveries: await Promise.all(
    deliveriesTo(endpoint).map((one) => deliverySeen(one, endpoint.secrets)),
  ),
  replays: endpoint.replays,
  recovered: endpoint.recovered,
});

/** The lines that a command of the operator lists. */
const listed = <T>(world: World, ...words: readonly string[]) =>
  insist(words.join(' '), async () => {
    const { code, json } = await operator(world.stack, ...words);
    return code === 0 ? (json as T[]) : undefined;
  });

const maxima = new Map<number, ProcessSeen>();

/** Notes the resident memory of every process; to be called now and then. */
export const sampleMemory = ({ stack }: World): void => {
  for (const { name, pid } of stack.file().services) {
    try {
      const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
      const rssMaxBytes = Math.max(
        Number(kilobytes?.[1] ?? 0) * 1024,
        maxima.get(pid)?.rssMaxBytes ?? 0,
      );
      maxima.set(pid, { name, pid, rssMaxBytes });
    } catch {} // it has just ended
  }
};

export const observe = async (
  world: World,
  notConverged: readonly string[],
): Promise<Observation> => {
  const orders: OrderSeen[] = [];
  for (const one of await everyOrder(world)) orders.push(await orderSeen(world, one));
  const verified = await insist('ledger verify', async () => {
    const { json } = await operator(world.stack, 'ledger', 'verify');
    return json as { faults: unknown[] } | null;
  });
  const violations = await listed(world, 'ledger', 'violations');
  const deadLetters = await listed<{ event_id: string }>(world, 'dlq', 'list');
  return {
    slots: [...world.slots.values()],
    orders,
    endpoints: await Promise.all(world.endpoints.map(endpointSeen)),
    polls: world.polls,
    walks: world.walks,
    changes: world.changes,
    processes: [...maxima.values()],
    ledgerFaults: [
      ...world.ledgerFaults,
      ...verified.faults.map((fault) => `verify: ${JSON.stringify(fault)}`),
      ...violations.map((one) => `violation: ${JSON.stringify(one)}`),
    ],
    deadLetters: deadLetters
      .filter(({ event_id }) => !world.poisoned.has(event_id)) // the workload has made these up
      .map((letter) => JSON.stringify(letter)),
    unexpected: world.unexpected,
    notConverged,
  };
};
