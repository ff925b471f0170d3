import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalStack } from '../../../e2e/local-stack.ts';
import { partner } from '../../../e2e/partner.ts';

const paceMs = 50;
const pageSize = 3;

/**
 * Reads pages of orders by their cursors, orders with their custody, and the feed, until `stop`. No
 * request is repeated.
 */
export const startReaders = (stack: LocalStack) => {
  let on = true;
  const failures: string[] = [];
  let requests = 0;
  const get = async (path: string) => {
    const gateway = requests++ % stack.file().gateways.length;
    const { status, body, text } = await partner(stack)
      .get(path, gateway)
      .catch((error: Error) => ({
        status: 0,
        body: undefined,
        text: String(error.cause ?? error),
      }));
    if (status !== 200) failures.push(`GET ${path.split('?')[0]}: ${status} ${text.slice(0, 200)}`);
    await sleep(paceMs); // so that other work of the machine has its share
    return body;
  };
  const read = async (): Promise<void> => {
    for (let cursor: string | undefined; on; ) {
      const page = await get(
        `/orders?limit=${pageSize}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
      );
      const [first] = page?.data ?? [];
      if (first) await get(`/orders/${first.id}`);
      if (first) await get(`/orders/${first.id}/events`);
      if (first) await get(`/orders/${first.id}/custody`);
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
