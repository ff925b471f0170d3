/** A partner and an operator who do not give up: they ask again until they have an answer. */
import { until } from '@pto/testing';
import { walk } from '../operator/src/commands/order-steps.ts';
import type { LocalStack } from './local-stack.ts';
import { operatorClients } from './operator.ts';
import { orderBody, partner } from './partner.ts';

const deadlineMs = 60_000;

/** Creates an order, asking again with the same key. @returns its id. */
export const createOrder = (stack: LocalStack, name: string): Promise<string> => {
  let gateway = 0;
  const create = async (): Promise<string> => {
    const replica = gateway++ % stack.file().gateways.length;
    const { status, body, text } = await partner(stack).post(
      '/orders',
      orderBody({ external_id: name }),
      { 'idempotency-key': name },
      replica,
    );
    if (status === 201) return body.id;
    throw new Error(`${status} ${text}`);
  };
  return until(create, { deadlineMs, what: `creating ${name}` });
};

/** Takes an order to a status; a step whose answer was lost is not taken twice. */
export const walkOrder = async (stack: LocalStack, id: string, to = 'CLOSED'): Promise<void> => {
  const { orders } = operatorClients(stack);
  const walked = async () => (await walk(orders, id, to, 0)).status;
  await until(walked, { deadlineMs, what: `the steps of ${id}` });
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
