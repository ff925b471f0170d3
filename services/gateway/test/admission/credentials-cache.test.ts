import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { hashText } from '@pto/access';
import type { Sql } from '@pto/database';
import { createKeyLookup } from '../../src/admission/key-lookup.ts';

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

test('a key of an organization that moves is looked up for each request', async () => {
  let [isMoving, cell] = [true, 'main'];
  const answers: (() => void)[] = [];
  const query = () => {
    const rows = [{ ...row, allowed_cidrs: null, is_moving: isMoving, cell }];
    return new Promise((resolve) => answers.push(() => resolve(rows)));
  };
  const lookup = createKeyLookup({ query } as unknown as Sql);
  const find = () => lookup.find(known, async () => false);
  const sent = async () => {
    while (answers.length === 0) await new Promise(setImmediate);
  };
  const answered = async () => {
    await sent();
    answers.shift()!();
  };
  const first = find();
  await answered();
  expect((await first)?.organization).toMatchObject({ cell: 'main', isMoving: true });
  // a look-up that began before the switch does not serve a request that began after it
  const before = find();
  await sent();
  [isMoving, cell] = [false, 'north'];
  const after = find();
  await answered();
  await answered();
  expect((await before)?.organization.cell).toBe('main');
  expect((await after)?.organization).toMatchObject({ cell: 'north', isMoving: false });
  expect(await find()).toBe(await after);
});
