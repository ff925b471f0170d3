import { expect, test } from '@jest/globals';
import { lingerRule } from '../src/batches.ts';

test('a batch waits from the begin of the one before it, not from its own first call', () => {
  let now = 1000;
  const rule = lingerRule({ calls: 4, ms: 25 }, () => now);
  expect(rule.waitMs(1)).toBe(0);
  rule.begin(4);
  now = 1010;
  expect(rule.waitMs(1)).toBe(15);
  expect(rule.waitMs(3)).toBe(15);
  expect(rule.waitMs(4)).toBe(0);
  now = 1030;
  expect(rule.waitMs(1)).toBe(0);
  rule.begin(3);
  expect(rule.waitMs(1)).toBe(0);
});
