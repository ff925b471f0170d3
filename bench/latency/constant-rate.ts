import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@pto/testing';
import type { Received } from '../../e2e/receiver.ts';
import { roundOf } from '../measuring/percentile.ts';
import type { Side } from '../measuring/ratio.ts';
import { requireRows } from '../measuring/report.ts';

/** A system that delivers webhooks, as R4 measures it. */
export interface Sender extends Pick<Side, 'name' | 'processes'> {
  /**
   * Sends the request number `n` that causes one webhook.
   * @returns the id in the webhook's `data.order.id`.
   * @throws VoidRun where the response is not the expected one.
   */
  send(n: number): Promise<string>;
}

interface Rate {
  readonly perSecond: number;
  readonly seconds: number;
}

/** A round sends requests at the rate, and ends when all their webhooks have been received. */
export const senderSide = (sender: Sender, received: Received[], rate: Rate) => ({
  ...sender,
  round: async () => {
    received.length = 0;
    /** When each request was sent, by the id of its webhook. */
    const requested = new Map<string, number>();
    await atRate(rate, async (n) => {
      const sentAt = Date.now();
      requested.set(await sender.send(n), sentAt);
    });
    const arrivals = () => {
      const ofThese = received.filter(({ body }) => requested.has(body.data.order.id));
      // the first arrival counts: a delivery can come twice
      return new Map(ofThese.toReversed().map((one) => [one.body.data.order.id as string, one.at]));
    };
    const every = { what: 'every webhook', deadlineMs: 120_000 };
    await until(() => arrivals().size === requested.size, every).catch(() => {});
    requireRows('webhooks', requested.size, arrivals().size);
    return roundOf([...arrivals()].map(([id, arrivedAt]) => arrivedAt - requested.get(id)!));
  },
});

/**
 * Begins each work at its time, whatever became of the ones before.
 * @throws the first error, after the end of the last work.
 */
export const atRate = async (
  { perSecond, seconds }: Rate,
  work: (n: number) => Promise<void>,
): Promise<void> => {
  const begun = performance.now();
  const running: Promise<void>[] = [];
  for (let n = 0; n < perSecond * seconds; n++) {
    const waitMs = begun + (n * 1000) / perSecond - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    const one = work(n);
    one.catch(() => {}); // reported below: unhandled, it would end this process but not the stack
    running.push(one);
  }
  await Promise.allSettled(running);
  await Promise.all(running);
};
