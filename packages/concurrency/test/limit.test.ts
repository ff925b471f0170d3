import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createLimit } from '../src/index.ts';

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
  const limit = createLimit({ ...bounds, ...more });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const start = async (
    name: string,
    weight: number,
    signal = over.signal,
    ms?: number,
    owner?: string,
  ) => {
    const taken = await limit.acquire(name, signal, { weight, ms, owner });
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

describe('a limit that owners share', () => {
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
        const limit = createLimit({ ...bounds, reserved, waitingMax: 100 });
        const held = { a: 0, b: 0, c: 0 } as Record<string, number>;
        await Promise.all(
          tasks.map(async ({ name, weight }) => {
            const release = await limit.acquire(name, never, { weight });
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

const limitOf = (more = {}) => createLimit({ perOwner: 2, waitingMax: 3, waitMs: 10_000, ...more });

/** Takes or awaits a slot, and fails if there is none. */
const slotOf = async (limit: ReturnType<typeof createLimit>, name: string): Promise<() => void> => {
  const slot = await limit.acquire(name, never);
  if (typeof slot === 'string') throw new Error(`no slot: ${slot}`);
  return slot;
};

describe('a limit for each owner', () => {
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
    const limit = limitOf({ perOwner: 1, waitMs: 20 });
    const release = await slotOf(limit, 'a');
    const next = slotOf(limit, 'a');
    release();
    release();
    await next;
    expect(await limit.acquire('a', never)).toBe('late');
  });

  test('a task without a slot gives up after the wait, and is not given a slot later', async () => {
    const limit = limitOf({ perOwner: 1, waitMs: 20 });
    const release = await slotOf(limit, 'a');
    expect(await limit.acquire('a', never)).toBe('late');
    release();
    await slotOf(limit, 'a');
  });

  test('an aborted task frees its place in the queue', async () => {
    const limit = limitOf({ perOwner: 1, waitingMax: 1 });
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
    const limit = limitOf({ perOwner: 1 });
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
