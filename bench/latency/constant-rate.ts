import { setTimeout as sleep } from 'node:timers/promises';
import type { Side } from './side.ts';

/**
 * Sends requests at the rate. Requests are sent at their times whatever became of the ones before.
 * @returns when each request was sent, by the id in its response, and how long the requests took.
 * @throws VoidRun where a response is not the expected one, after the last response.
 */
export const sendAtRate = async (
  { send }: Pick<Side, 'send'>,
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
    const one = send(n).then(({ id, ms }) => {
      requested.set(id, sentAt);
      requestMs.push(ms);
    });
    one.catch(() => {}); // reported below: unhandled, it would end this process but not the stack
    running.push(one);
  }
  const failed = (await Promise.allSettled(running)).find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
  return { requested, requestMs };
};
