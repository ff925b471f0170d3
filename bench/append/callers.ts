import { percentile } from '../measuring/percentile.ts';
import type { Latency } from '../measuring/ratio.ts';

const callerCount = 100;

/**
 * 100 callers that share the work: each takes the next item as soon as its last call has resolved.
 * @param call gets the caller's number, 0 to 99.
 * @returns how long the calls took.
 */
export const callAll = async <Item>(
  items: readonly Item[],
  call: (item: Item, caller: number) => Promise<unknown>,
): Promise<Latency> => {
  const ms: number[] = [];
  let next = 0;
  const caller = async (_: unknown, number: number) => {
    while (next < items.length) {
      const item = items[next++]!;
      const begun = performance.now();
      await call(item, number);
      ms.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: callerCount }, caller));
  return { p50Ms: percentile(ms, 0.5), p99Ms: percentile(ms, 0.99) };
};
