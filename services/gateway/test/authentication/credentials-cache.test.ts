import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { hashText } from '@pto/access';
import type { Sql } from '@pto/database';
import { createKeyLookup } from '../../src/authentication/key-lookup.ts';

const begun = Date.UTC(2026, 0, 1);
const [known, unknown] = ['a known key', 'an unknown key'].map(hashText) as [string, string];
const row = { hash: Buffer.from(known, 'base64'), id: 'one', scopes: [], expires_at: null };

beforeEach(() => {
  jest.useFakeTimers({ now: begun, doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** A look-up over a database with one key, and the number of its statements. */
const counted = () => {
  let statements = 0;
  const query = async () => {
    statements++;
    return [{ ...row, allowed_cidrs: null }];
  };
  const lookup = createKeyLookup({ query } as unknown as Sql);
  const find = async (name = known) => {
    const found = await lookup.find(name, async () => false);
    expect(found?.keyId).toBe(name === known ? 'one' : undefined);
    return statements;
  };
  return { find, forget: lookup.forget };
};

test('a key is known without a look-up for 4 s, and then no more', async () => {
  const { find } = counted();
  expect([await find(), await find()]).toEqual([1, 1]);
  jest.advanceTimersByTime(3999);
  expect(await find()).toBe(1);
  jest.advanceTimersByTime(1);
  expect(await find()).toBe(2);
});

test('an unknown key is looked up each time', async () => {
  const { find } = counted();
  expect([await find(unknown), await find(unknown)]).toEqual([1, 2]);
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
