/** Partners who place orders and read them, and operators who move them, during a whole drill. */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@pto/testing';
import type { LocalStack } from '../../../e2e/local-stack.ts';
import { operatorClients } from '../../../e2e/operator.ts';
import { type Answer, orderBody, partner } from '../../../e2e/partner.ts';
import { walk } from '../../../operator/src/commands/order-steps.ts';

/** Pauses, so that other work of the machine has its share. */
const [paceMs, readPaceMs] = [150, 50];
const retryMs = 200;
const pageSize = 3;

/** An order whose creation was acknowledged. */
export interface PlacedOrder {
  readonly id: string;
  /** Whether its last step was acknowledged, too. */
  closed: boolean;
}

const noResponse = (error: Error) =>
  ({ status: 0, body: undefined, text: String(error.cause ?? error) }) as Answer;

/**
 * Places orders in lanes and takes each to its end, until `stop`. A request without a response,
 * with a 429 or a 5xx, is repeated, a creation with the same key. An order that the API no longer has is
 * left as it is.
 */
export const startPartners = (stack: LocalStack, lanes = 2, label = 'drill') => {
  const placed: PlacedOrder[] = [];
  const statuses = new Map<number, number>();
  let [on, placing, isPaused, number, failed, requests] = [true, true, false, 0, 0, 0];
  const gateway = () => requests++ % stack.file().gateways.length;

  const place = async (name: string): Promise<PlacedOrder | undefined> => {
    while (on) {
      const { status, body, text } = await partner(stack)
        .post('/orders', orderBody({ external_id: name }), { 'idempotency-key': name }, gateway())
        .catch(noResponse);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 201) return { id: body.id, closed: false };
      if (status !== 0 && status < 500 && ![409, 429].includes(status))
        throw new Error(`placing ${name}: ${status} ${text}`);
      await sleep(retryMs);
    }
    return undefined;
  };
  const move = async (order: PlacedOrder): Promise<void> => {
    while (on) {
      const walked = walk(operatorClients(stack).orders, order.id, 'CLOSED', 0);
      order.closed = await walked.then(
        () => true,
        () => false,
      );
      if (order.closed) return;
      failed++;
      const seen = await partner(stack).get(`/orders/${order.id}`, gateway()).catch(noResponse);
      if (seen.status === 404) return;
      await sleep(retryMs);
    }
  };
  const lane = async () => {
    while (on && placing) {
      await sleep(paceMs);
      if (isPaused) continue;
      const order = await place(`${label}-${number++}`);
      if (order === undefined) return;
      placed.push(order);
      await move(order);
    }
  };
  const working = Promise.all(Array.from({ length: lanes }, lane));
  working.catch(() => {}); // `stop` rejects
  return {
    placed: placed as readonly PlacedOrder[],
    /** Responses to creations by their status; 0: none came. */
    statuses,
    /** How often a step of an order failed, and was repeated. */
    failedSteps: () => failed,
    /** Places no order during `work`; those under way go on. */
    pausedFor: async (work: () => Promise<void>): Promise<void> => {
      isPaused = true;
      await work();
      isPaused = false;
    },
    /** Takes the orders under way to their end, and places no more. */
    finish: async (): Promise<void> => {
      placing = false;
      await working;
    },
    /**
     * Leaves the orders under way as they are.
     * @throws Error if a request was rejected for good.
     */
    stop: async (): Promise<void> => {
      on = false;
      await working;
    },
  };
};

/** Returns how many responses had each status, as one text; a request without a response is `none`. */
export const statusText = (statuses: ReadonlyMap<number, number>): string =>
  [...statuses].map(([status, count]) => `${status || 'none'}: ${count}`).join(', ');

export type Partners = ReturnType<typeof startPartners>;

/** Returns the ids of the orders that came to their end. */
export const closedOf = ({ placed }: Partners): string[] =>
  placed.filter(({ closed }) => closed).map(({ id }) => id);

/** Waits until so many more orders have come to their end. */
export const closedIn = async (partners: Partners, count: number): Promise<void> => {
  const wanted = closedOf(partners).length + count;
  const what = `${count} closed orders`;
  await until(() => closedOf(partners).length >= wanted, { deadlineMs: 90_000, what });
};

/**
 * Reads pages of orders by their cursors, orders with their custody, and the feed, until `stop`. No
 * request is repeated.
 */
export const startReaders = (stack: LocalStack) => {
  const failures: string[] = [];
  let [on, requests] = [true, 0];
  const get = async (path: string) => {
    const gateway = requests++ % stack.file().gateways.length;
    const { status, body, text } = await partner(stack).get(path, gateway).catch(noResponse);
    if (status !== 200) failures.push(`GET ${path.split('?')[0]}: ${status} ${text.slice(0, 200)}`);
    await sleep(readPaceMs);
    return body;
  };
  const read = async (): Promise<void> => {
    for (let cursor: string | undefined; on; ) {
      const after = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
      const page = await get(`/orders?limit=${pageSize}${after}`);
      const [first] = page?.data ?? [];
      if (first)
        for (const part of ['', '/events', '/custody']) await get(`/orders/${first.id}${part}`);
      await get(`/events?limit=${pageSize}`);
      cursor = page?.next_cursor ?? undefined;
    }
  };
  const working = read();
  return {
    requests: () => requests,
    /** One line for each request without a 200. */
    failures: failures as readonly string[],
    stop: async (): Promise<void> => {
      on = false;
      await working;
    },
  };
};
