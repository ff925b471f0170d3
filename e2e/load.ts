/** A partner and an operator who do not give up: they ask again until they have an answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@pto/testing';
import { walk } from '../operator/src/commands/order-steps.ts';
import type { LocalStack } from './local-stack.ts';
import { operatorClients } from './operator.ts';
import { orderBody, partner } from './partner.ts';

const persistently = <T>(what: string, attempt: () => Promise<T | null>) => {
  let tries = 0;
  const next = async () => {
    if (tries++ > 0) await sleep(100); // the pace of a patient client
    return attempt();
  };
  return until(next, { deadlineMs: 60_000, what });
};

/** Creates an order, asking again with the same key. @returns its id. */
export const createOrder = (stack: LocalStack, name: string): Promise<string> => {
  let gateway = 0;
  return persistently(`creating ${name}`, async () => {
    const replica = gateway++ % stack.file().gateways.length;
    const answer = await partner(stack).post(
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

/** Takes an order to its end; a step whose answer was lost is not taken twice. */
export const walkOrder = async (stack: LocalStack, id: string): Promise<void> => {
  const { orders } = operatorClients(stack);
  await persistently(`the steps of ${id}`, async () => {
    const { status } = await walk(orders, id, 'CLOSED', 0);
    return status;
  });
};

/** Creates an order and takes it to its end. @returns its id. */
export const liveOrder = async (stack: LocalStack, name: string): Promise<string> => {
  const id = await createOrder(stack, name);
  await walkOrder(stack, id);
  return id;
};

/** Runs `work` for 0..count-1, `lanes` at a time. */
export const inLanes = async (
  count: number,
  lanes: number,
  work: (n: number) => Promise<unknown>,
): Promise<void> => {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
};
