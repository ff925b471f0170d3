import { describe, expect, test } from '@jest/globals';
import {
  breaksAt,
  failureRatio,
  type Health,
  isBroken,
  shownBreaksAt,
  warningLevel,
} from '../../src/health/health.ts';
import type { Endpoint } from '../../src/schema/entities.ts';

const limits = { brokenFailures: 10, brokenMinAgeMs: 3000, brokenSilenceMs: 50_000 };
const healthWith = (more: Partial<Health>): Health => ({
  consecutiveFailures: 0,
  failingSince: null,
  lastWellAt: 1_000_000,
  exhausted: 0,
  ...more,
});

describe('an endpoint becomes BROKEN', () => {
  test.each<[string, Partial<Health>, number | null]>([
    ['never without a failure', {}, null],
    ['never below the threshold', { consecutiveFailures: 9, failingSince: 2_000_000 }, null],
    [
      'some time after the first failure',
      { consecutiveFailures: 10, failingSince: 2_000_000 },
      2_003_000,
    ],
    ['never by failures without a beginning', { consecutiveFailures: 10 }, null],
    ['after a long silence with an exhausted delivery', { exhausted: 1 }, 1_050_000],
    [
      'at the earlier of both times',
      { consecutiveFailures: 11, failingSince: 1_010_000, exhausted: 2 },
      1_013_000,
    ],
    [
      'at the earlier of both times, the silence first',
      { consecutiveFailures: 11, failingSince: 2_000_000, exhausted: 2 },
      1_050_000,
    ],
  ])('%s', (_, health, at) => {
    expect(breaksAt(healthWith(health), limits)).toBe(at);
  });

  test('at that very millisecond', () => {
    const health = healthWith({ exhausted: 1 });
    expect(isBroken(health, limits, 1_049_999)).toBe(false);
    expect(isBroken(health, limits, 1_050_000)).toBe(true);
    expect(isBroken(healthWith({}), limits, Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});

test('partners read when an endpoint becomes BROKEN, of one that gets deliveries', () => {
  const at = (more: Partial<Endpoint>) =>
    shownBreaksAt(
      {
        ...{ status: 'ENABLED', disabled: false, exhausted: 1, consecutive_failures: 1 },
        ...{ created_at: '1970-01-01 00:00:00+00', last_success_at: null, verified_at: null },
        ...{ resumed_at: null, failing_since: null, ...more },
      } as Endpoint,
      limits,
    );
  expect(at({})).toBe('1970-01-01T00:00:50.000Z');
  expect(at({ resumed_at: '1970-01-01 00:01:00+00' })).toBe('1970-01-01T00:01:50.000Z');
  expect([at({ disabled: true }), at({ status: 'BROKEN' })]).toEqual([null, null]);
});

test.each([
  [0, 0, 0],
  [4, 0.4, 0],
  [5, 0.5, 50],
  [6, 0.6, 50],
  [7, 0.7, 70],
  [8, 0.8, 70],
  [9, 0.9, 90],
  [10, 1, 90],
  [25, 1, 90],
])('%i failures of 10 are a ratio of %d and a warning at %i %%', (failures, ratio, level) => {
  const health = healthWith({ consecutiveFailures: failures });
  expect(failureRatio(health, limits)).toBe(ratio);
  expect(warningLevel(health, limits)).toBe(level);
});
