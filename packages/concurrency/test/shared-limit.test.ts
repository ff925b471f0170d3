import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSharedLimit } from '../src/index.ts';

const never = new AbortController().signal;
const bounds = { capacity: 10, perOwner: 6, reserved: 0, waitingMax: 3, waitMs: 10_000 };

/** Ends the tasks that a test leaves waiting: their timers would keep the worker of the tests alive. */
let over = new AbortController();
afterEach(() => {
  over.abort();
  over = new AbortController();
});

/** Starts tasks; `started` has the names of those that run, in the order of their start. */
const bed = (more = {}) => {
  const limit = createSharedLimit({ ...bounds, ...more });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const start = async (
    name: string,
    weight: number,
    signal = over.signal,
    ms?: number,
    owner?: string,
  ) => {
    const taken = await limit.acquire(name, weight, signal, ms, owner);
    if (typeof taken === 'string') return taken;
    started.push(name);
    ends.push(taken);
    return 'started';
  };
  /** Ends the task that started first, after all that can start have started. */
  const end = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    ends.shift()!();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ...limit, started, start, end };
};

describe('a shared limit', () => {
  test('starts the oldest task of the name that holds the least', async () => {
    const { started, start, end } = bed();
    await start('a', 6);
    await start('b', 4);
    for (const name of ['a', 'a', 'b', 'c']) void start(name, 3);
    await end(); // a holds 0, b 4, c 0: c has waited longer for its first than a for its next
    expect(started).toEqual(['a', 'b', 'c', 'a']);
    await end();
    expect(started.slice(4)).toEqual(['b']); // b holds 0 now
  });

  test('gives one name at most its own part, while others may take the rest', async () => {
    const { started, start } = bed();
    for (let n = 0; n < 3; n++) void start('a', 3);
    await start('b', 4);
    expect(started).toEqual(['a', 'a', 'b']);
  });

  test('starts no lighter task before a heavy one that waits for room', async () => {
    const { started, start, end } = bed();
    await start('a', 5);
    await start('b', 4);
    void start('c', 6);
    void start('d', 1);
    expect(started).toEqual(['a', 'b']);
    await end();
    expect(started).toEqual(['a', 'b', 'c']);
  });

  test('lets the next task start when one gives up, and when its client leaves', async () => {
    const { start } = bed();
    await start('a', 5);
    const gone = new AbortController();
    const heavy = [start('b', 6, gone.signal), start('c', 6, over.signal, 20)];
    const light = start('d', 1);
    gone.abort();
    expect(await Promise.all([...heavy, light])).toEqual(['aborted', 'late', 'started']);
  });

  test('lets names take turns, however many tasks one of them has', async () => {
    const { started, start, end } = bed({ capacity: 1, waitingMax: 100 });
    for (let n = 0; n < 9; n++) void start('a', 1);
    for (const name of ['b', 'b', 'c']) void start(name, 1);
    for (let n = 0; n < 6; n++) await end();
    expect(started.join('')).toBe('abcabaa');
  });

  test('rejects the task beyond the queue of its name alone', async () => {
    const { start } = bed();
    await start('a', 6);
    for (let n = 0; n < 3; n++) void start('a', 1);
    expect(await start('a', 1)).toBe('full');
    expect(await start('b', 1)).toBe('started');
  });

  test('gives the names of one owner one part, in which each may start a first task', async () => {
    const { started, start } = bed({ capacity: 20 });
    const own = (name: string) => start(name, 3, over.signal, undefined, 'owner');
    for (const name of ['a', 'a', 'a', 'a-portal', 'a-portal']) void own(name);
    await new Promise((resolve) => setImmediate(resolve));
    expect(started).toEqual(['a', 'a', 'a-portal']);
  });

  test('starts the first task of an owner, whatever four names of others hold forever', async () => {
    const names = ['a', 'a-portal', 'b', 'b-portal'];
    const task = fc.record({
      name: fc.constantFrom(...names),
      weight: fc.integer({ min: 1, max: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(task, { maxLength: 40 }), async (tasks) => {
        const { start } = bed({ reserved: 4, waitingMax: 100 });
        for (const { name, weight } of tasks)
          void start(name, weight, over.signal, undefined, name[0]);
        expect(await start('c', 2, over.signal, 0)).toBe('started');
      }),
    );
  });

  test('is waited for by other names that others keep out, and by no other', async () => {
    const { start, isWaitedFor } = bed();
    await start('a', 6);
    void start('a', 1); // has its part
    expect(['a', 'b'].map(isWaitedFor)).toEqual([false, false]);
    void start('b', 5);
    expect(['a', 'b', 'c'].map(isWaitedFor)).toEqual([true, false, true]);
  });

  test('never holds more than its bounds, and ends with every task started', async () => {
    const task = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      weight: fc.integer({ min: 1, max: 6 }),
    });
    const reserves = fc.integer({ min: 0, max: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(task, { maxLength: 30 }), reserves, async (tasks, reserved) => {
        const limit = createSharedLimit({ ...bounds, reserved, waitingMax: 100 });
        const held = { a: 0, b: 0, c: 0 } as Record<string, number>;
        await Promise.all(
          tasks.map(async ({ name, weight }) => {
            const release = await limit.acquire(name, weight, never);
            if (typeof release === 'string') throw new Error(release);
            held[name]! += weight;
            expect(held[name]).toBeLessThanOrEqual(6);
            expect(held.a! + held.b! + held.c!).toBeLessThanOrEqual(10);
            await new Promise((resolve) => setImmediate(resolve));
            held[name]! -= weight;
            release();
            release();
          }),
        );
      }),
    );
  });
});
