import { describe, expect, test } from '@jest/globals';
import { Rejection } from '../src/index.ts';
import { jsonFault, readJson, readMembers, readWholeNumber } from '../src/read-json.ts';

const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('a number is read if the double equals it, in any form:', () => {
  test.each([
    '0',
    '0.0',
    '0e5',
    '12',
    '100',
    '-4.5',
    '4.50',
    '4.500',
    '4.050',
    '0.1',
    '0.10',
    '5e-2',
    '1.05e-1',
    '105e-3',
    '0.00000010',
    '1e21',
    '1E+21',
    '1000000000000000000000',
    '-1.50e+2',
    '12.5e10',
    '1e-12',
    '9007199254740992',
    '5e-324',
    '1.7976931348623157e308',
  ])('%s', (written) => {
    expect(readJson(`[${written}]`)).toEqual([Number(written)]);
  });

  test.each([
    '9007199254740993',
    '-9007199254740993',
    '0.10000000000000001',
    '4.50000000000000000001',
    '-4.50000000000000000001e5',
    '4.50000000000000000001e+15',
    '4.50000000000000000001E-15',
    '100000000000000000001',
    '1e-400',
    '1.7976931348623157081e308',
  ])('but not %s', (written) => {
    const reason = `the number ${written} loses digits`;
    expect(() => readJson(`{"a":[1,${written}]}`)).toThrow(new Rejection(reason));
  });

  test('400 characters, but not 401', () => {
    const written = `-1.${'0'.repeat(397)}`;
    expect(readJson(written)).toBe(-1);
    expect(() => readJson(`${written}0`)).toThrow(
      new Rejection('a number has more than 400 characters'),
    );
  });
});

describe('a member name stands once in each object:', () => {
  test.each([
    ['once in each of two objects', '{"a":1,"b":[{"a":2},{"a":3}]}'],
    ['as a text beside', '{"a":"a","b":["a:a",":"]}'],
    ['with quotation marks and backslashes in texts', '{"a\\"":"\\\\","b":"\\\\\\":"}'],
    ['with numbers in texts', '{"1e999":"9007199254740993","-":"-0"}'],
    ['in no object', '[null,true,"a"]'],
  ])('%s', (_, text) => {
    expect(readJson(text)).toEqual(JSON.parse(text));
  });

  test.each([
    ['twice', '{"a":1,"a":1}'],
    ['twice in an object of a list', '{"a":[{"b":1},{"b":1,"b":2}]}'],
    ['once more with an escape', '{"a":1,"\\u0061":1}'],
    ['twice after a text that ends with a backslash', '["\\\\",{"a":1,"a":2}]'],
  ])('not %s', (_, text) => {
    expect(() => readJson(text)).toThrow(new Rejection('a member name stands twice in one object'));
  });
});

describe('a text is rejected with the reason:', () => {
  const notJson = 'not JSON: damaged, cut off or empty';
  test.each([
    ['nothing', '', notJson],
    ['a text that is cut off', '{"a":1', notJson],
    ['two values', '1 2', notJson],
    ['an infinite number', '[1e999]', 'a number is not finite'],
    ['-0', '[-0.0]', '-0 is written as 0'],
    ['41 levels', lists(41), 'nested too deeply'],
  ])('%s', (_, text, reason) => {
    expect(() => readJson(text)).toThrow(new Rejection(reason));
  });

  test('but not for 40 levels', () => {
    expect(readJson(lists(40))).toEqual(JSON.parse(lists(40)));
  });
});

const listed = (depth: number): unknown => (depth === 0 ? 0 : [listed(depth - 1)]);
const named = (depth: number): unknown => (depth === 0 ? 0 : { a: named(depth - 1) });

describe('a value changes when it is written as JSON and read again:', () => {
  const surrogate = 'a lone surrogate is no text';
  test.each([
    ['nothing', undefined, 'no JSON value: undefined'],
    ['a bigint', 1n, 'no JSON value: bigint'],
    ['a function in a list', [() => 1], 'no JSON value: function'],
    ['an undefined member', { a: undefined }, 'no JSON value: undefined'],
    ['a gap in a list, which is written as null', new Array(1), 'no JSON value: undefined'],
    ['NaN', Number.NaN, 'a number is not finite'],
    ['an infinite number', -Infinity, 'a number is not finite'],
    ['-0', { a: [0, -0] }, '-0 is written as 0'],
    ['a lone surrogate', '\udc00', surrogate],
    ['a lone surrogate in a name', { '\ud800': 1 }, surrogate],
    ['a lone surrogate in a list', ['\u{1f600}', '\ud83d'], surrogate],
    ['4 lists where 3 are permitted', listed(4), 'nested too deeply'],
    ['4 objects where 3 are permitted', named(4), 'nested too deeply'],
  ])('%s', (_, value, reason) => {
    expect(jsonFault(value, 3)).toBe(reason);
  });

  test.each([
    ['null', null],
    ['false', false],
    ['0', 0],
    ['a pair of surrogates', '\u{1f600}'],
    ['a list of several values', [null, true, 1.5, 'x', {}]],
    ['an object of several values', { a: null, b: [1, 2], c: 'x' }],
    ['3 lists where 3 are permitted', listed(3)],
    ['3 objects where 3 are permitted', named(3)],
  ])('but not %s', (_, value) => {
    expect(jsonFault(value, 3)).toBeNull();
  });
});

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
