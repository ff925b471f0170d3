/** A partner who follows the event feed and does not give up. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalStack } from './local-stack.ts';
import { partner } from './partner.ts';

/** An event of the feed, and when its page came, as a time of `performance.now()`. */
export interface ReadEvent {
  readonly number: number;
  readonly orderId: string;
  readonly sequence: number;
  readonly eventHash: string;
  readonly at: number;
}

/** Statuses of pages that are read again. */
const temporary = new Set([408, 429, 500, 502, 503, 504]);

/** Follows the feed by long polls until `stop`. Remembers the events in the order in which they came. */
export const startReader = (stack: LocalStack, { after = 0, key = '' } = {}) => {
  const events: ReadEvent[] = [];
  const statuses = new Map<number, number>();
  let [on, next, requests] = [true, after, 0];
  const { get } = partner(stack, key || undefined);
  const read = async (): Promise<void> => {
    const gateway = requests++ % stack.file().gateways.length;
    const answer = await get(`/events?after=${next}&limit=100&wait=5`, gateway).catch(() => null);
    const status = answer?.status ?? 0;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (answer === null || temporary.has(status)) return void (await sleep(100));
    if (status !== 200) throw new Error(`${status}: ${answer.text}`);
    const at = performance.now();
    for (const { number, data, custody } of answer.body.data) {
      const { id: orderId, sequence } = data.order;
      events.push({ number, orderId, sequence, eventHash: custody.event_hash, at });
    }
    next = answer.body.next_after;
  };
  const reading = (async () => {
    while (on) await read();
  })();
  return {
    events,
    /** Responses by their status; 0: none came. */
    statuses,
    /** Rejects if a page was rejected for good. */
    stop: async () => {
      on = false;
      await reading;
    },
  };
};
