import { describe, expect, test } from '@jest/globals';
import { hasCalibrationExpired, requireCalibrationDate } from '../../src/conditions/calibration.ts';
import { rejectionOf } from './readings-files.ts';

describe('a calibration expires after the same day of the next year', () => {
  test.each([
    ['2025-01-15', '2026-01-15T23:59:59.999Z', false],
    ['2025-01-15', '2026-01-16T00:00:00.000Z', true],
    ['2025-12-31', '2026-12-31T00:00:00.000Z', false],
    ['2025-12-31', '2027-01-01T00:00:00.000Z', true],
    ['2024-02-29', '2025-02-28T23:59:59.999Z', false],
    ['2024-02-29', '2025-03-01T00:00:00.000Z', true],
    ['2023-02-28', '2024-02-28T12:00:00.000Z', false],
    ['2023-02-28', '2024-02-29T00:00:00.000Z', true],
    ['2026-01-16', '2026-01-15T12:00:00.000Z', false],
  ])('of %s, at %s: %s', (date, at, expired) => {
    expect(hasCalibrationExpired(date, at)).toBe(expired);
  });
});

const last = '2026-01-15T09:30:00.000Z';

test('a calibration on the day of the last reading is accepted', () => {
  expect(() => requireCalibrationDate('2026-01-15', last)).not.toThrow();
});

test.each([
  ['2026-01-16', 'the date is after the last reading, 2026-01-15'],
  ['2025-02-29', 'expected a date such as 2026-01-31'],
  ['2025-11-31', 'expected a date such as 2026-01-31'],
  ['2025-13-01', 'expected a date such as 2026-01-31'],
  ['2025-1-1', 'expected a date such as 2026-01-31'],
  ['2025-01-01T00:00:00Z', 'expected a date such as 2026-01-31'],
  ['', 'expected a date such as 2026-01-31'],
])('the calibration date %j is rejected', (date, error) => {
  expect(rejectionOf(() => requireCalibrationDate(date, last))).toMatchObject({
    loc: ['device', 'calibration_date'],
    input: date,
    ctx: { error },
  });
});
