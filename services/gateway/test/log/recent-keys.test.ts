import { expect, test } from '@jest/globals';
import { type LogKeys, recentKeys } from '../../src/log/log-routes.ts';

const keysOf = (origin: string): LogKeys => ({ origin, keys: [] });

test('reads the keys again when they are older than the limit', async () => {
  let now = 0;
  let reads = 0;
  const keys = recentKeys(
    async () => keysOf(`${++reads}`),
    30_000,
    () => now,
  );
  expect(await keys()).toEqual(keysOf('1'));
  now = 29_999;
  expect(await keys()).toEqual(keysOf('1'));
  now = 30_000;
  expect(await keys()).toEqual(keysOf('2'));
});

test('returns null, never older keys, while they cannot be read', async () => {
  let now = 0;
  let isAvailable = true;
  const read = async () => {
    if (!isAvailable) throw new Error('unavailable');
    return keysOf('log');
  };
  const keys = recentKeys(read, 30_000, () => now);
  expect(await keys()).toEqual(keysOf('log'));
  isAvailable = false;
  expect(await keys()).toEqual(keysOf('log'));
  now = 30_000;
  expect(await keys()).toBe(null);
  isAvailable = true;
  expect(await keys()).toEqual(keysOf('log'));
});

test('shares one read between concurrent callers', async () => {
  let reads = 0;
  const { promise, resolve } = Promise.withResolvers<LogKeys>();
  const keys = recentKeys(() => {
    reads++;
    return promise;
  }, 30_000);
  const both = Promise.all([keys(), keys()]);
  resolve(keysOf('log'));
  expect(await both).toEqual([keysOf('log'), keysOf('log')]);
  expect(reads).toBe(1);
});
