import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Credentials } from '../../src/authentication/credentials.ts';
import { createCredentialsCache } from '../../src/authentication/credentials-cache.ts';

const begun = Date.UTC(2026, 0, 1);
const hash = Buffer.alloc(32, 1);
const credentials = { keyId: 'one' } as Credentials;

beforeEach(() => {
  jest.useFakeTimers({ now: begun });
});
afterEach(() => {
  jest.useRealTimers();
});

test('a key is known without a look-up for 4 s, and then no more', async () => {
  const cache = createCredentialsCache();
  expect(cache.known(hash)).toBeUndefined();
  await cache.find(hash, async () => credentials);
  expect(cache.known(hash)).toBe(credentials);
  jest.setSystemTime(begun + 3999);
  expect(cache.known(hash)).toBe(credentials);
  jest.setSystemTime(begun + 4000);
  expect(cache.known(hash)).toBeUndefined();
});

test('no key is known after an operator’s change', async () => {
  const cache = createCredentialsCache();
  await cache.find(hash, async () => credentials);
  cache.forget();
  expect(cache.known(hash)).toBeUndefined();
});
