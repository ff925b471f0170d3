import { expect, test } from '@jest/globals';
import { clockIn, instantIn, nearestIn } from '../src/time-zone.ts';

test.each([
  ['Europe/Berlin', '2026-01-15T09:30', '2026-01-15T08:30'],
  ['Europe/Berlin', '2026-07-15T09:30', '2026-07-15T07:30'],
  ['Europe/Berlin', '2026-03-29T01:59', '2026-03-29T00:59'],
  ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00'],
  ['Europe/Berlin', '2026-10-25T01:59', '2026-10-24T23:59'],
  ['Europe/Berlin', '2026-10-25T03:00', '2026-10-25T02:00'],
  ['Asia/Kolkata', '2026-01-01T00:00', '2025-12-31T18:30'],
  ['UTC', '2026-01-15T09:30', '2026-01-15T09:30'],
])('the clock of %s shows %s at %s in UTC', (zone, clock, utc) => {
  const at = instantIn(zone, clock);
  expect(new Date(at).toISOString()).toBe(`${utc}:00.000Z`);
  expect(clockIn(zone, at)).toBe(clock);
});

test('a time that a clock leaves out, or shows twice, is an hour away at most', () => {
  const left = instantIn('Europe/Berlin', '2026-03-29T02:30');
  expect(['2026-03-29T01:30', '2026-03-29T03:30']).toContain(clockIn('Europe/Berlin', left));
  const twice = instantIn('Europe/Berlin', '2026-10-25T02:30');
  expect(clockIn('Europe/Berlin', twice)).toBe('2026-10-25T02:30');
});

test.each([
  ['2026-07-01T10:00Z', '14:05', '2026-07-01T11:05'], // 13:00 in Helsinki
  ['2026-07-01T11:20Z', '14:05', '2026-07-01T11:05'],
  ['2026-07-01T20:50Z', '00:10', '2026-07-01T21:10'],
  ['2026-07-01T22:00Z', '23:50', '2026-07-02T20:50'],
])('in Helsinki at %s the clock shows %s at %s in UTC', (now, clock, utc) => {
  const at = nearestIn('Europe/Helsinki', clock, Date.parse(now));
  expect(new Date(at).toISOString()).toBe(`${utc}:00.000Z`);
});
