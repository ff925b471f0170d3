import { expect, test } from '@jest/globals';
import { cachedFor } from '../src/index.ts';

test('calls share a result, also one in progress, until the time is over', async () => {
  let now = 0;
  let reads = 0;
  const held = Promise.withResolvers<void>();
  const read = cachedFor(
    5000,
    async () => {
      const n = ++reads;
      if (n === 1) await held.promise;
      return n;
    },
    () => now,
  );
  const both = [read(), read()];
  held.resolve();
  expect(await Promise.all(both)).toEqual([1, 1]);
  now = 4999;
  expect(await read()).toBe(1);
  now = 5000;
  expect(await read()).toBe(2);
});

test('a rejection is shared by the calls that wait for it, and by no later one', async () => {
  let reads = 0;
  const read = cachedFor(5000, async () => {
    if (++reads === 1) throw new Error('the first');
    return reads;
  });
  const both = await Promise.allSettled([read(), read()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await read()).toBe(2);
});
