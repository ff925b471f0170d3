import { expect, test } from '@jest/globals';
import { createExpiringEntries } from '../src/expiring-entries.ts';

const limits = { entriesMax: 3, bytesMax: 100, maxAgeMs: 1000 };
const names = ['a', 'b', 'c', 'd'];

/** Each value is the size of its entry in bytes. */
const entriesOf = () => createExpiringEntries<number>(limits, (bytes) => bytes);

const presentIn = (entries: ReturnType<typeof entriesOf>, now = 0) =>
  names.filter((name) => entries.get(name, now) !== undefined);

test('the oldest entry is dropped when there are more than the limit', () => {
  const entries = entriesOf();
  for (const name of names) entries.set(name, 1, 0);
  expect(presentIn(entries)).toEqual(['b', 'c', 'd']);
});

test('the oldest entries are dropped when all have more bytes than the limit', () => {
  const entries = entriesOf();
  entries.set('a', 40, 0);
  entries.set('b', 40, 0);
  expect(presentIn(entries)).toEqual(['a', 'b']);
  entries.set('c', 70, 0);
  expect(presentIn(entries)).toEqual(['c']);
  entries.set('d', 101, 0);
  expect(presentIn(entries)).toEqual([]);
  entries.set('a', 100, 0);
  expect(presentIn(entries)).toEqual(['a']);
});

test('an entry that is set again counts once, and is the newest', () => {
  const entries = entriesOf();
  entries.set('a', 40, 0);
  entries.set('b', 40, 0);
  entries.set('a', 50, 0);
  expect(presentIn(entries)).toEqual(['a', 'b']);
  entries.set('c', 50, 0);
  expect(presentIn(entries)).toEqual(['a', 'c']);
});

test('an entry expires, measured from the time of its read, not of its last use', () => {
  const entries = entriesOf();
  entries.set('a', 7, 500);
  expect(entries.get('a', 1499)).toBe(7);
  expect(entries.get('a', 1500)).toBeUndefined();
});

test('an expired entry is dropped when another one is set', () => {
  const entries = entriesOf();
  entries.set('a', 1, 0);
  entries.set('b', 1, 1);
  entries.set('c', 1, 1000);
  expect(presentIn(entries, 0)).toEqual(['b', 'c']);
});
