import { describe, expect, test } from '@jest/globals';
import { jsonFault } from '../../src/json/json-fault.ts';

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
