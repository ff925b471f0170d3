import { describe, expect, test } from '@jest/globals';
import { Rejection, readJson } from '../../src/index.ts';

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
