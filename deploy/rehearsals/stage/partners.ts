/** Partners who place orders and operators who move them, during a whole rehearsal. */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@pto/testing';
import type { LocalStack } from '../../../e2e/local-stack.ts';
import { operatorClients } from '../../../e2e/operator.ts';
import { orderBody, partner } from '../../../e2e/partner.ts';
import { startReceiver } from '../../../e2e/receiver.ts';
import { walk } from '../../../operator/src/commands/order-steps.ts';
import type { Stage } from './rehearsal.ts';

const paceMs = 150;
const retryMs = 200;

/** An order whose creation was acknowledged. */
export interface PlacedOrder {
  readonly id: string;
  readonly name: string;
  /** Whether its last step was acknowledged, too. */
  closed: boolean;
}

/**
 * Places orders in two lanes and takes each to its end, until `stop`. A request without a response,
 * with a 429 or a 5xx, is repeated, a creation with the same key. An order that the API no longer has is
 * left as it is.
 * @param operators returns the clients that take the steps.
 */
export const startPartners = (
  stack: LocalStack,
  lanes = 2,
  label = 'rehearsal',
  operators = () => operatorClients(stack),
) => {
  const placed: PlacedOrder[] = [];
  const statuses = new Map<number, number>();
  let [on, placing, number, failed] = [true, true, 0, 0];

  let requests = 0;
  const gateway = () => requests++ % stack.file().gateways.length;

  const place = async (name: string): Promise<PlacedOrder | undefined> => {
    while (on) {
      const answer = await partner(stack)
        .post('/orders', orderBody({ external_id: name }), { 'idempotency-key': name }, gateway())
        .catch(() => ({ status: 0, body: undefined, text: 'no response' }));
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status === 201) return { id: answer.body.id, name, closed: false };
      if (answer.status !== 0 && answer.status < 500 && ![409, 429].includes(answer.status))
        throw new Error(`placing ${name}: ${answer.status} ${answer.text}`);
      await sleep(retryMs);
    }
    return undefined;
  };
  const move = async (order: PlacedOrder): Promise<void> => {
    while (on) {
      const walked = await walk(operators().orders, order.id, 'CLOSED', 0).catch(() => undefined);
      if (!walked) failed++;
      if (walked) {
        order.closed = true;
        return;
      }
      const seen = await partner(stack)
        .get(`/orders/${order.id}`, gateway())
        .catch(() => undefined);
      if (seen?.status === 404) return;
      await sleep(retryMs);
    }
  };
  const lane = async () => {
    while (on && placing) {
      const order = await place(`${label}-${number++}`);
      if (order === undefined) return;
      placed.push(order);
      await move(order);
      await sleep(paceMs); // so that other work of the machine has its share
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

/** Waits until so many more orders have come to their end. */
export const closedIn = async (partners: Partners, count: number): Promise<void> => {
  const closed = () => partners.placed.filter((order) => order.closed).length;
  const wanted = closed() + count;
  await until(() => closed() >= wanted, { deadlineMs: 90_000, what: `${count} closed orders` });
};

/**
 * Puts a stack under load until the end of the rehearsal: partners who place orders in so many
 * lanes, and a receiver that gets their events.
 */
export const underLoad = async (stage: Stage, stack: LocalStack, lanes?: number) => {
  const receiver = await startReceiver(stack);
  stage.atEnd(receiver.stop);
  await receiver.subscribe();
  const partners = startPartners(stack, lanes);
  stage.atEnd(() => partners.stop().catch(() => {}));
  return { receiver, partners };
};
