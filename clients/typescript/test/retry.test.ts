import { expect, test } from '@jest/globals';
import { retryDelayMs } from '../src/http/retry.ts';
import { retryAfterSeconds } from '../src/http/retry-after.ts';

const state = { attempts: 1, attemptsMax: 4, remainingMs: 90_000, repeatable: true };
const failed = (status: number | null, code: string | null = null, retryAfter = null) => ({
  status,
  code,
  retryAfter: retryAfter as number | null,
});

test.each([
  ['a lost connection', failed(null), true, false],
  ['408', failed(408), true, false],
  ['429', failed(429), true, true],
  ['502', failed(502), true, false],
  ['503', failed(503), true, false],
  ['504', failed(504), true, false],
  ['409 IDEMPOTENCY_IN_PROGRESS', failed(409, 'IDEMPOTENCY_IN_PROGRESS'), true, false],
  ['409 DUPLICATE_EXTERNAL_ID', failed(409, 'DUPLICATE_EXTERNAL_ID'), false, false],
  ['400', failed(400), false, false],
  ['401', failed(401), false, false],
  ['404', failed(404), false, false],
  ['422', failed(422), false, false],
  ['500', failed(500), false, false],
])(
  'after %s only a call that is safe to repeat is repeated, except after a 429',
  (_, what, safe, unsafe) => {
    expect(retryDelayMs(what, state, 0.5) !== null).toBe(safe);
    expect(retryDelayMs(what, { ...state, repeatable: false }, 0.5) !== null).toBe(unsafe);
  },
);

test('the wait is a random part of a bound that doubles up to 20 seconds', () => {
  const waits = (random: number) =>
    [1, 2, 3, 6, 7, 60].map((attempts) =>
      retryDelayMs(failed(503), { ...state, attempts, attemptsMax: 100 }, random),
    );
  expect(waits(0)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(waits(0.5)).toEqual([250, 500, 1000, 8000, 10_000, 10_000]);
});

test('Retry-After is the wait, whatever the random number', () => {
  for (const random of [0, 0.99])
    expect(retryDelayMs({ ...failed(429), retryAfter: 7 }, state, random)).toBe(7000);
});

test('a call gives up after its attempts, and before a wait that exceeds its time', () => {
  expect(retryDelayMs(failed(503), { ...state, attempts: 4 }, 0)).toBeNull();
  const late = { ...state, remainingMs: 6999 };
  expect(retryDelayMs({ ...failed(429), retryAfter: 7 }, late, 0)).toBeNull();
});

test.each([
  [null, null],
  ['5', 5],
  ['Mon, 02 Mar 2026 08:00:10 GMT', 10],
  ['Mon, 02 Mar 2026 07:00:00 GMT', 0],
  ['-1', null],
  ['soon', null],
])('Retry-After %s is %s seconds', (header, seconds) => {
  expect(retryAfterSeconds(header, Date.parse('2026-03-02T08:00:00Z'))).toBe(seconds);
});
