import { expect, test } from '@jest/globals';
import { createRests } from '../src/index.ts';

test('a part that failed rests, the others do not, and its success ends the rest', () => {
  const rests = createRests<number>();
  expect([rests.failed(1), rests.failed(1)]).toEqual([1, 2]);
  expect([rests.rests(1), rests.rests(2), rests.any()]).toEqual([true, false, true]);
  rests.succeeded(1);
  expect([rests.rests(1), rests.any(), rests.failed(1)]).toEqual([false, false, 1]);
});
