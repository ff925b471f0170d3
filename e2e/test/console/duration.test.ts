/** Durations as the pages write them. */
import { expect, test } from '@jest/globals';
import { duration } from '../../../console/src/parts/duration.ts';
import { duration as ofCertificate } from '../../../packages/certificate/src/texts/clock-time.ts';

test.each([
  [0, '0 s'],
  [0.118, '118 ms'],
  [1.48, '1.48 s'],
  [59, '59 s'],
  [210, '3 min 30 s'],
  [3600, '1 h'],
  [3930, '1 h 5 min 30 s'],
  [86_399.6, '1 day'],
  [183_600, '2 days 3 h'],
])('%d s are %s', (seconds, words) => {
  expect(duration(seconds)).toBe(words);
});

test.each([30, 210, 3600, 3930, 86_399])('%d s are the same on the certificate', (seconds) => {
  expect(duration(seconds)).toBe(ofCertificate(seconds));
});
