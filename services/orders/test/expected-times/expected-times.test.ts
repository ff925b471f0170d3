/** The pure parts of expected times (decision 87). */
import { describe, expect, test } from '@jest/globals';
import { kilometers } from '@pto/representation';
import { type Expected, judgeReport } from '../../src/domain/expected-time.ts';
import { expectedTimes } from '../../src/expected-times/expected-times.ts';
import { estimateSeconds } from '../../src/expected-times/travel-time.ts';

const charite = { lat: 52.5233, lng: 13.3777, country: 'DE' };
const potsdam = { lat: 52.3989, lng: 13.0657, country: 'DE' };
const munich = { lat: 48.1374, lng: 11.5755, country: 'DE' };
const nowhere = { country: 'DE' };

const minutes = (from: typeof charite, to: typeof charite, at: string) =>
  Math.round(estimateSeconds(from, to, Date.parse(at)) / 60);

test('a distance is that of the great circle', () => {
  expect(kilometers(charite, munich)).toBeCloseTo(504.4, 0);
  expect(kilometers(charite, charite)).toBe(0);
});

test.each([
  ['at night', '2026-11-30T23:00:00Z', 51],
  ['at noon', '2026-11-30T11:00:00Z', 59],
  ['in the morning’s traffic, by local time', '2026-11-30T06:30:00Z', 72],
  ['in the same traffic in summer', '2026-07-01T05:30:00Z', 72],
])('from Berlin to Potsdam %s', (_, at, expected) => {
  expect(minutes(charite, potsdam, at)).toBe(expected);
});

test('a long way is mostly a motorway', () => {
  const hours = minutes(charite, munich, '2026-11-30T23:00:00Z') / 60;
  expect(hours).toBeGreaterThan(7);
  expect(hours).toBeLessThan(10);
});

test('without the zone of the country the sun has the hour', () => {
  const abroad = { ...charite, country: 'US' };
  // 06:30 UTC is 07:24 by the sun of Berlin
  expect(minutes(abroad, potsdam, '2026-11-30T06:30:00Z')).toBe(72);
});

const order = (status: string, expected: Expected | null = null, more: object = {}) => ({
  status,
  pickupWindowStart: '2026-12-01T08:00:00.000Z',
  updatedAt: '2026-11-30T10:00:10.000Z',
  expected,
  ...more,
});
const reported = (stop: 'pickup' | 'dropoff', at: string, more: object = {}): Expected => ({
  reported: { stop, at, source: 'driver', ...more },
});
const none = { pickupEta: null, dropoffEta: null, etaSource: null };

describe('the times that an order shows', () => {
  const shown = (...given: Parameters<typeof order>) =>
    expectedTimes(order(...given), charite, potsdam);

  test.each(['DRAFT', 'DELIVERED', 'CLOSED', 'CANCELLED'])('are absent when it is %s', (status) => {
    expect(shown(status, reported('dropoff', '2026-11-30T12:00:00.000Z'))).toEqual(none);
  });
  test.each(['SUBMITTED', 'ASSIGNED', 'ACCEPTED', 'DRIVER_ASSIGNED'])(
    'begin with the window when it is %s',
    (status) => {
      expect(shown(status)).toEqual({
        pickupEta: '2026-12-01T08:00:00.000Z',
        // 15 min at the place and 59.3 min on the way
        dropoffEta: '2026-12-01T09:15:00.000Z',
        etaSource: 'estimate',
      });
    },
  );
  test('begin with the second of the window, and not after it', () => {
    const pickupWindowStart = '2026-12-01T08:00:27.412Z';
    expect(shown('SUBMITTED', null, { pickupWindowStart }).pickupEta).toBe(pickupWindowStart);
  });
  test('begin with its last change after the start of the window', () => {
    const pickupWindowStart = '2026-11-30T09:00:00.000Z';
    expect(shown('SUBMITTED', null, { pickupWindowStart }).pickupEta).toBe(
      '2026-11-30T10:01:00.000Z',
    );
  });
  test('follow the word of the driver for the pick-up', () => {
    expect(shown('DRIVER_ASSIGNED', reported('pickup', '2026-11-30T10:40:00.000Z'))).toEqual({
      pickupEta: '2026-11-30T10:40:00.000Z',
      dropoffEta: '2026-11-30T11:55:00.000Z',
      etaSource: 'driver',
    });
  });
  test('have the way of the routing engine', () => {
    const expected = { ...reported('pickup', '2026-11-30T10:40:00.000Z'), leg: 600 };
    expect(shown('DRIVER_ASSIGNED', expected).dropoffEta).toBe('2026-11-30T11:05:00.000Z');
  });
  test('leave out the pick-up once it has started, whatever was said of it', () => {
    const said = reported('pickup', '2026-11-30T10:40:00.000Z');
    expect(shown('PICKUP_STARTED', said)).toEqual({
      pickupEta: null,
      dropoffEta: '2026-11-30T11:15:00.000Z',
      etaSource: 'estimate',
    });
    expect(shown('SEALED', said).dropoffEta).toBe('2026-11-30T11:00:00.000Z');
  });
  test('count from the start of the transport, not from a later note', () => {
    const expected = { departed: '2026-11-30T09:00:00.000Z' };
    expect(shown('IN_TRANSIT', expected).dropoffEta).toBe('2026-11-30T10:00:00.000Z');
  });
  test('follow the word of the driver for the drop-off', () => {
    expect(shown('IN_TRANSIT', reported('dropoff', '2026-11-30T12:00:00.000Z'))).toEqual({
      pickupEta: null,
      dropoffEta: '2026-11-30T12:00:00.000Z',
      etaSource: 'driver',
    });
  });
  test('are not known of places without coordinates, but by the driver', () => {
    const of = (...given: Parameters<typeof order>) =>
      expectedTimes(order(...given), charite, nowhere);
    expect(of('SUBMITTED')).toMatchObject({ dropoffEta: null, etaSource: 'estimate' });
    expect(of('IN_TRANSIT')).toEqual(none);
    const at = '2026-11-30T12:00:00.000Z';
    expect(of('IN_TRANSIT', reported('dropoff', at))).toMatchObject({ dropoffEta: at });
  });
});

describe('a report', () => {
  const known = '2026-11-30T12:00:00.000Z';
  const report = (minute: number, source: 'driver' | 'router' | 'estimate' = 'driver') => ({
    stop: 'dropoff' as const,
    at: new Date(Date.parse(known) + minute * 60_000).toISOString(),
    source,
    known,
  });
  const now = '2026-11-30T11:00:00.000Z';
  const later = '2026-11-30T11:05:00.000Z';
  const judged = (minute: number, before: Expected | null = null, at = now) =>
    judgeReport(before, report(minute), at)!;

  test.each([9, 10, -10])('of a move by %d min is not announced', (minute) => {
    expect(judged(minute)).toMatchObject({ announces: false, dueAt: null });
  });
  test.each([11, -11])('of a move by %d min is announced', (minute) => {
    expect(judged(minute)).toMatchObject({ announces: true, dueAt: null });
  });
  test('that moves in small steps is announced once they are 11 min', () => {
    const { expected } = judged(9);
    expect(judged(11, expected)).toMatchObject({ announces: true });
  });
  test('within 5 min after an announcement is due at their end', () => {
    const { expected } = judged(11);
    const soon = judged(30, expected, '2026-11-30T11:04:59.999Z');
    expect(soon).toMatchObject({ announces: false, dueAt: later });
    expect(judged(30, soon.expected, later)).toMatchObject({ announces: true, dueAt: null });
  });
  test('that moves back is not due any more', () => {
    const { expected } = judged(11);
    expect(judged(12, judged(30, expected).expected)).toMatchObject({ dueAt: null });
  });
  test('by position does not hurry a driver who said when', () => {
    const { expected } = judged(20);
    expect(judgeReport(expected, report(19, 'router'), later)).toBeNull();
    expect(judgeReport(expected, report(21, 'router'), later)).not.toBeNull();
  });
});
