import { describe, expect, test } from '@jest/globals';
import { Rejection } from '../../src/index.ts';
import { readMembers, readWholeNumber } from '../../src/json/members.ts';

test('an object with exactly the members is returned', () => {
  const value = { b: 2, a: 1 };
  expect(readMembers(value, ['a', 'b'])).toBe(value);
});

describe('an object is rejected with the reason:', () => {
  const long = 'x'.repeat(41);
  test.each([
    ['a number', 7, 'not an object'],
    ['a text', 'ab', 'not an object'],
    ['nothing', undefined, 'not an object'],
    ['null', null, 'not an object'],
    ['a list', ['a', 'b'], 'not an object'],
    ['no first member', { b: 2 }, 'the member a is missing'],
    ['no second member', { a: 1 }, 'the member b is missing'],
    ['an inherited member', Object.create({ a: 1, b: 2 }), 'the member a is missing'],
    ['one more member', { a: 1, 'c"': 3, b: 2 }, 'the member "c\\"" does not belong there'],
    [
      'one more member with a long name, cut off after 40 characters',
      { a: 1, b: 2, [long]: 3 },
      `the member "${long.slice(1)}" does not belong there`,
    ],
  ])('%s', (_, value, reason) => {
    expect(() => readMembers(value, ['a', 'b'])).toThrow(new Rejection(reason));
  });
});

test('a whole number is exact and not negative', () => {
  const reason = new Rejection('size is not a whole number');
  for (const value of [0, 1, Number.MAX_SAFE_INTEGER])
    expect(readWholeNumber(value, 'size')).toBe(value);
  for (const value of [-1, 0.5, 2 ** 53, Number.NaN, '1', null, [1], { valueOf: () => 1 }])
    expect(() => readWholeNumber(value, 'size')).toThrow(reason);
});
