import { expect, test } from '@jest/globals';
import { httpTimings } from '../../src/index.ts';

test('the file of a handover has time to arrive over 1 Mbit/s', () => {
  const seconds = ((5 * 1024 * 1024 * 4) / 3) * (8 / 1_000_000);
  expect(httpTimings.requestMs).toBeGreaterThan(1.2 * 1000 * seconds);
});
