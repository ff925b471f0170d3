import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  attemptsMax,
  type Outcome,
  retryAfterMs,
  verdictOn,
} from '../../src/deliverer/retry-schedule.ts';

const [minute, hour] = [60_000, 3_600_000];
const waits = [minute, 5 * minute, 30 * minute, 4 * hour, 19.4 * hour];
const start = Date.UTC(2026, 0, 15, 12);
const failed: Outcome = { error: 'timeout' };
const answered = (statusCode: number, retryAfter?: string): Outcome => ({ statusCode, retryAfter });

const waitAfter = (number: number, outcome: Outcome, now: number, random = 0.5): number => {
  const verdict = verdictOn({ outcome, number, firstAttemptAt: start }, waits, now, random);
  if (verdict.state !== 'PENDING') throw new Error(`unexpected ${verdict.state}`);
  return verdict.waitMs;
};

describe('which answers end a delivery', () => {
  test.each([
    [200, 'DELIVERED'],
    [204, 'DELIVERED'],
    [299, 'DELIVERED'],
    [199, 'PENDING'],
    [300, 'PENDING'],
    [301, 'PENDING'],
    [304, 'PENDING'],
    [400, 'PENDING'],
    [404, 'PENDING'],
    [410, 'PENDING'],
    [429, 'PENDING'],
    [500, 'PENDING'],
    [503, 'PENDING'],
  ])('%i on the first attempt: %s', (status, state) => {
    const tried = { outcome: answered(status), number: 1, firstAttemptAt: start };
    expect(verdictOn(tried, waits, start, 0.5).state).toBe(state);
  });

  test('the sixth failure, and no earlier one, exhausts it', () => {
    const states = [1, 2, 3, 4, 5, 6].map(
      (number) =>
        verdictOn({ outcome: failed, number, firstAttemptAt: start }, waits, start, 0.5).state,
    );
    expect(states).toEqual(['PENDING', 'PENDING', 'PENDING', 'PENDING', 'PENDING', 'EXHAUSTED']);
  });
});

test('a schedule of five waits has six attempts', () => {
  expect(attemptsMax(waits)).toBe(6);
});

test('under a controlled clock six attempts lie where decision 38 puts them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 5, maxLength: 5 }),
      fc.nat(10_000),
      (randoms, tookMs) => {
        const begun = [start];
        randoms.forEach((random, n) => {
          const ended = begun.at(-1)! + tookMs;
          begun.push(ended + waitAfter(n + 1, failed, ended, random));
        });
        const gaps = begun.slice(1).map((at, n) => at - begun[n]! - tookMs);
        gaps.slice(0, 4).forEach((gap, n) => {
          expect(gap).toBeGreaterThanOrEqual(Math.floor(waits[n]! * 0.9));
          expect(gap).toBeLessThanOrEqual(Math.ceil(waits[n]! * 1.1));
        });
        expect(begun).toHaveLength(6);
        expect(begun[5]! - start).toBe(24 * hour);
      },
    ),
  );
});

describe('Retry-After', () => {
  test.each([
    ['is obeyed', 1, '90', 90_000],
    ['is obeyed up to twice the wait', 1, '3600', 2 * minute],
    ['does not shorten a wait', 1, '1', minute],
    ['may be a date', 2, new Date(start + 7 * minute).toUTCString(), 7 * minute],
    ['in the past says nothing', 1, new Date(start - minute).toUTCString(), minute],
    ['that is malformed says nothing', 1, 'soon', minute],
    ['does not move the last attempt', 5, '999999', 24 * hour],
  ])('%s', (_, number, header, wait) => {
    expect(waitAfter(number, answered(503, header), start)).toBe(wait);
  });

  test('never leads past the end of the schedule', () => {
    const late = start + 24 * hour - 5 * hour;
    expect(waitAfter(4, answered(503, '999999'), late)).toBe(5 * hour);
  });

  test.each([
    [undefined, undefined],
    ['', undefined],
    ['0', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['120', 120_000],
    [' 120 ', 120_000],
    ['99999999999', undefined],
    ['2026-01-15', undefined],
    ['Thu, 15 Jan 2026 12:00:30 GMT', 30_000],
    ['Thu, 15 Jan 2026 12:00:01 GMT', 1000],
    ['Thu, 15 Jan 2026 12:00:00 GMT', undefined],
    ['at Thu, 15 Jan 2026 12:00:30 GMT', undefined],
    ['Thu, 15 Jan 2026 12:00:30 GMT-0100', undefined],
  ])('%j means %j ms', (header, ms) => {
    expect(retryAfterMs(header, start)).toBe(ms);
  });
});
