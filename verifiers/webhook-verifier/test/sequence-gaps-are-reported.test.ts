import { expect, test } from '@jest/globals';
import { gap } from '../src/index.ts';

test.each([
  ['the next one', 7, 8, null],
  ['the same one again', 7, 7, null],
  ['an earlier one', 7, 3, null],
  ['the first that was ever seen', null, 12, null],
  ['a delivery without a number', 7, undefined, null],
  ['one left out', 7, 9, { from: 8, to: 8 }],
  ['several left out', 7, 12, { from: 8, to: 11 }],
  ['the first ones left out, though nothing came before', 0, 3, { from: 1, to: 2 }],
])('%s', (_, last, sequence, expected) => {
  expect(gap(last, sequence === undefined ? {} : { sequence })).toEqual(expected);
});
