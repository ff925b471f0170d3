import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { type Credentials, createCredentialsCache } from '../../src/authentication/key-lookup.ts';

const begun = Date.UTC(2026, 0, 1);
const name = 'the hash of a key';
const credentials = { keyId: 'one' } as Credentials;

beforeEach(() => {
  jest.useFakeTimers({ now: begun });
});
afterEach(() => {
  jest.useRealTimers();
});

/** A cache, and the number of its look-ups. */
const counted = () => {
  const cache = createCredentialsCache();
  let lookUps = 0;
  const find = async () => {
    await cache.find(name, async () => {
      lookUps++;
      return credentials;
    });
    return lookUps;
  };
  return { find, forget: cache.forget };
};

test('a key is known without a look-up for 4 s, and then no more', async () => {
  const { find } = counted();
  expect([await find(), await find()]).toEqual([1, 1]);
  jest.advanceTimersByTime(3999);
  expect(await find()).toBe(1);
  jest.advanceTimersByTime(1);
  expect(await find()).toBe(2);
});

test('no key is known after an operator’s change', async () => {
  const { find, forget } = counted();
  await find();
  forget();
  expect(await find()).toBe(2);
});

test.each([-3_600_000, 3_600_000])(
  'a step of the wall clock by %s ms changes no age',
  async (ms) => {
    const { find } = counted();
    await find();
    jest.setSystemTime(begun + ms);
    expect(await find()).toBe(1);
    jest.advanceTimersByTime(4000);
    expect(await find()).toBe(2);
  },
);
