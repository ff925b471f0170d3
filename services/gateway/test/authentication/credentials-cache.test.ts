import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Credentials } from '../../src/authentication/credentials.ts';
import { createCredentialsCache } from '../../src/authentication/credentials-cache.ts';

const begun = Date.UTC(2026, 0, 1);
const name = 'the hash of a key';
const credentials = { keyId: 'one' } as Credentials;

beforeEach(() => {
  jest.useFakeTimers({ now: begun });
});
afterEach(() => {
  jest.useRealTimers();
});

test('a key is known without a look-up for 4 s, and then no more', async () => {
  const cache = createCredentialsCache();
  expect(cache.known(name)).toBeUndefined();
  await cache.find(name, async () => credentials);
  expect(cache.known(name)).toBe(credentials);
  jest.advanceTimersByTime(3999);
  expect(cache.known(name)).toBe(credentials);
  jest.advanceTimersByTime(1);
  expect(cache.known(name)).toBeUndefined();
});

test('no key is known after an operator’s change', async () => {
  const cache = createCredentialsCache();
  await cache.find(name, async () => credentials);
  cache.forget();
  expect(cache.known(name)).toBeUndefined();
});

test.each([-3_600_000, 3_600_000])(
  'a step of the wall clock by %s ms changes no age',
  async (ms) => {
    const cache = createCredentialsCache();
    await cache.find(name, async () => credentials);
    jest.setSystemTime(begun + ms);
    expect(cache.known(name)).toBe(credentials);
    jest.advanceTimersByTime(4000);
    expect(cache.known(name)).toBeUndefined();
  },
);
