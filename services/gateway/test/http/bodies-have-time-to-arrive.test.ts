import { expect, test } from '@jest/globals';
import { waitMs } from '../../src/admission/admission.ts';
import { gatewayTimings } from '../../src/config.ts';

test('a request that waited for memory has its complete time for the body', () => {
  expect(gatewayTimings.requestMs).toBeGreaterThan(waitMs + gatewayTimings.bodyMs);
});

test('the bodies of a key’s writes in a minute have time to arrive over 2 Mbit/s', () => {
  const seconds = (60 * 256 * 1024 * 8) / 2_000_000;
  expect(gatewayTimings.bodyMs).toBeGreaterThan(1.2 * 1000 * seconds);
});
