import { expect, test } from '@jest/globals';
import { type CountedAttempt, healthChanges } from '../../src/health/health.ts';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 15, 9, 30, second));
const attempt = (second: number, more: Partial<CountedAttempt> = {}): CountedAttempt => ({
  organizationId: 'o',
  endpointId: 'e',
  urlVersion: 1,
  succeeded: false,
  exhausted: false,
  endedAt: at(second),
  ...more,
});

test('failures are added up, with the times of the first and the last', () => {
  expect(healthChanges([attempt(1), attempt(2, { exhausted: true }), attempt(3)])).toEqual([
    {
      organizationId: 'o',
      endpointId: 'e',
      urlVersion: 1,
      succeeded: false,
      failures: 3,
      exhausted: 1,
      firstFailureAt: at(1),
      lastFailureAt: at(3),
      lastSuccessAt: null,
    },
  ]);
});

test('a success ends the failures before it, and later failures count from zero', () => {
  const attempts = [
    attempt(1, { exhausted: true }),
    attempt(2, { succeeded: true }),
    attempt(3),
    attempt(4, { exhausted: true }),
  ];
  expect(healthChanges(attempts.slice(0, 2))).toEqual([
    {
      organizationId: 'o',
      endpointId: 'e',
      urlVersion: 1,
      succeeded: true,
      failures: 0,
      exhausted: 0,
      firstFailureAt: null,
      lastFailureAt: at(1),
      lastSuccessAt: at(2),
    },
  ]);
  expect(healthChanges(attempts)).toMatchObject([
    { succeeded: true, failures: 2, exhausted: 1, firstFailureAt: at(3), lastFailureAt: at(4) },
  ]);
});

test('each endpoint and each version of its URL has its own change', () => {
  const changes = healthChanges([
    attempt(1),
    attempt(2, { urlVersion: 2 }),
    attempt(3, { endpointId: 'f' }),
    attempt(4),
  ]);
  expect(
    changes.map(({ endpointId, urlVersion, failures }) => [endpointId, urlVersion, failures]),
  ).toEqual([
    ['e', 1, 2],
    ['e', 2, 1],
    ['f', 1, 1],
  ]);
});
