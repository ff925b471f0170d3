import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createConcurrencyLimit } from '../src/concurrency-limit.ts';

const never = new AbortController().signal;
const limitOf = (more = {}) =>
  createConcurrencyLimit({ inFlightMax: 2, waitingMax: 3, waitMs: 10_000, ...more });

/** Takes or awaits a slot, and fails if there is none. */
const slotOf = async (
  limit: ReturnType<typeof createConcurrencyLimit>,
  name: string,
): Promise<() => void> => {
  const slot = await limit.acquire(name, never);
  if (typeof slot === 'string') throw new Error(`no slot: ${slot}`);
  return slot;
};

describe('a concurrency limit', () => {
  test('gives at most its slots, and a released slot to the task that waits longest', async () => {
    const limit = limitOf();
    const [first] = [await slotOf(limit, 'a'), await slotOf(limit, 'a')];
    const order: number[] = [];
    const waiting = [1, 2].map(async (n) => {
      const release = await slotOf(limit, 'a');
      order.push(n);
      return release;
    });
    expect(order).toEqual([]);
    first();
    (await waiting[0])!();
    (await waiting[1])!();
    expect(order).toEqual([1, 2]);
  });

  test('a second release of one slot gives no second slot', async () => {
    const limit = limitOf({ inFlightMax: 1, waitMs: 20 });
    const release = await slotOf(limit, 'a');
    const next = slotOf(limit, 'a');
    release();
    release();
    await next;
    expect(await limit.acquire('a', never)).toBe('late');
  });

  test('a task without a slot gives up after the wait, and is not given a slot later', async () => {
    const limit = limitOf({ inFlightMax: 1, waitMs: 20 });
    const release = await slotOf(limit, 'a');
    expect(await limit.acquire('a', never)).toBe('late');
    release();
    await slotOf(limit, 'a');
  });

  test('an aborted task frees its place in the queue', async () => {
    const limit = limitOf({ inFlightMax: 1, waitingMax: 1 });
    const release = await slotOf(limit, 'a');
    const gone = new AbortController();
    const aborted = limit.acquire('a', gone.signal);
    expect(await limit.acquire('a', never)).toBe('full');
    gone.abort();
    expect(await aborted).toBe('aborted');
    const next = slotOf(limit, 'a');
    release();
    await next;
  });

  test('groups of other names are not delayed', async () => {
    const limit = limitOf({ inFlightMax: 1 });
    const release = await slotOf(limit, 'a');
    const waiting = slotOf(limit, 'a');
    await slotOf(limit, 'b');
    release();
    await waiting;
  });

  test('never exceeds its slots and loses none, however tasks end', async () => {
    const step = fc.record({ aborts: fc.boolean(), turns: fc.nat(4), startAfter: fc.nat(6) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const limit = limitOf({ waitingMax: 100 });
        let inFlight = 0;
        let most = 0;
        await Promise.all(
          steps.map(async ({ aborts, turns, startAfter }) => {
            await turnsOf(startAfter);
            const gone = new AbortController();
            const slot = limit.acquire('a', gone.signal);
            await turnsOf(turns);
            if (aborts) gone.abort();
            const release = await slot;
            if (typeof release === 'string') return;
            most = Math.max(most, ++inFlight);
            await turnsOf(turns);
            inFlight--;
            release();
          }),
        );
        expect(most).toBeLessThanOrEqual(2);
        await slotOf(limit, 'a');
        await slotOf(limit, 'a');
      }),
    );
  });
});

const turnsOf = async (turns: number): Promise<void> => {
  for (let n = 0; n < turns; n++) await new Promise((resolve) => setImmediate(resolve));
};
