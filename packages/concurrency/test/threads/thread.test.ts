import { afterEach, expect, test } from '@jest/globals';
import { privateCause } from '@pto/errors';
import { openThread, type Thread } from '../../src/index.ts';

type Input = { readonly does: string; readonly ms?: number };
type Output = { readonly did: string; readonly environment: readonly string[] };

const opened: Thread<Input, Output>[] = [];
const thread = (more: { workMaxMs?: number; waitingMax?: number } = {}) => {
  const one = openThread<Input, Output>({
    program: 'no-such-program',
    source: new URL('echo-thread.ts', import.meta.url),
    workMaxMs: 20_000,
    waitingMax: 3,
    heapMaxMb: 32,
    ...more,
  });
  opened.push(one);
  return one;
};
afterEach(async () => {
  for (const one of opened.splice(0)) await one.stop();
});

const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => error.kind,
  );

test('the event loop takes its turns while the thread works', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  expect(await thread().run({ does: 'one', ms: 300 })).toMatchObject({ did: 'one' });
  clearInterval(timer);
  expect(turns).toBeGreaterThan(20);
});

test('work is done in the order of its arrival, and gets no environment', async () => {
  const { run } = thread();
  const done = await Promise.all(['a', 'b', 'c'].map((does) => run({ does })));
  expect(done.map(({ did }) => did)).toEqual(['a', 'b', 'c']);
  expect(done[0]!.environment).toEqual([]);
});

test('work beyond the bound is rejected, and that within it is done', async () => {
  const { run } = thread();
  const kinds = await Promise.all(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((does) => kindOf(run({ does }))),
  );
  expect(kinds).toEqual([...Array(4).fill('done'), ...Array(2).fill('SERVICE_UNAVAILABLE')]);
});

test.each([
  ['throw', 'a thrown text'],
  ['exit', 'the thread has ended'],
  ['fill', 'memory'],
])(
  'after work that does %s, the next is done',
  async (does, cause) => {
    const { run } = thread();
    const failure = await run({ does }).catch((error) => error);
    expect(failure).toMatchObject({
      kind: 'INTERNAL',
      message: 'Something went wrong on our side.',
    });
    expect(`${privateCause(failure)}`).toContain(cause);
    expect(await run({ does: 'next' })).toMatchObject({ did: 'next' });
  },
  30_000,
);

test('a Failure that the work throws comes with its details', async () => {
  await expect(thread().run({ does: 'reject' })).rejects.toMatchObject({
    kind: 'VALIDATION',
    details: { detail: [{ loc: ['file'], msg: 'Value error, too large', input: 7 }] },
  });
});

test('work that takes too long is ended, and the next is done', async () => {
  const { run } = thread({ workMaxMs: 1500 });
  const works = [run({ does: 'long', ms: 60_000 }), run({ does: 'next' })];
  expect(await Promise.all(works.map(kindOf))).toEqual(['DEADLINE_EXCEEDED', 'done']);
});

test('a stop rejects the work in progress, what waits, and later work', async () => {
  const one = thread();
  const works = [one.run({ does: 'long', ms: 60_000 }), one.run({ does: 'next' })].map(kindOf);
  await one.stop();
  expect(await Promise.all([...works, kindOf(one.run({ does: 'later' }))])).toEqual(
    Array(3).fill('SERVICE_UNAVAILABLE'),
  );
});
