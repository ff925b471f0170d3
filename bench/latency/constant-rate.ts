import { setTimeout as sleep } from 'node:timers/promises';
import { call, orderWith } from '../fairness/calls.ts';
import { requireStatus } from '../measuring/void-run.ts';

/**
 * Creates orders at the rate, with the keys in turns. Requests are sent at their times whatever
 * became of the ones before.
 * @returns when each order was requested, by its id, and how long the requests took.
 * @throws VoidRun where a response is not 201, after the last response.
 */
export const createOrders = async (
  origin: string,
  keys: readonly string[],
  { perSecond, seconds }: { perSecond: number; seconds: number },
) => {
  const requested = new Map<string, number>();
  const requestMs: number[] = [];
  const begun = performance.now();
  const running: Promise<void>[] = [];
  for (let n = 0; n < perSecond * seconds; n++) {
    const waitMs = begun + (n * 1000) / perSecond - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    const sentAt = Date.now();
    const response = call(origin, 'POST', '/orders', keys[n % keys.length], orderWith(2));
    const one = response.then(({ status, text, ms }) => {
      requireStatus(`POST /orders ${text}`, 201, status);
      requested.set(JSON.parse(text).id, sentAt);
      requestMs.push(ms);
    });
    one.catch(() => {}); // reported below: unhandled, it would end this process but not the stack
    running.push(one);
  }
  const failed = (await Promise.allSettled(running)).find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
  return { requested, requestMs };
};
