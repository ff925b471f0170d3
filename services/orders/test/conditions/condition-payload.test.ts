import { describe, expect, test } from '@jest/globals';
import { payloadFields } from '@pto/proto/payload-fields';
import { type ConditionRecord, conditionPayload } from '../../src/conditions/condition-payload.ts';
import { excursionPayload } from '../../src/conditions/excursion-payload.ts';
import { summarize } from '../../src/conditions/summarize.ts';
import { at, readingsOf, rejectionOf, underWay } from './readings-files.ts';

const limits = { min: 2, max: 8 };
const record: ConditionRecord = {
  device: {
    id: 'LOG-7',
    calibrationReference: 'CAL-2025-118',
    calibrationDate: '2025-06-01',
  },
  unit: 'celsius',
  limits,
  custody: underWay,
  summary: summarize(readingsOf(5, 9, 7), 'celsius', limits, underWay),
  readings: {
    sha256: 'ab'.repeat(32),
    media_type: 'text/csv',
    size: 1234,
    kept_until: '2031-01-15T09:30:00.000Z',
  },
  recordedBy: 'operator',
};
const payloadWith = (device: Partial<ConditionRecord['device']>) =>
  conditionPayload({ ...record, device: { ...record.device, ...device } });

test('the payload of a condition record has these members', () => {
  expect(conditionPayload(record)).toEqual({
    v: 'condition/1',
    device_id: 'LOG-7',
    calibration_reference: 'CAL-2025-118',
    calibration_date: '2025-06-01',
    calibration_expired: false,
    unit: 'celsius',
    from: at(0),
    to: at(120),
    count: 3,
    interval_seconds: 60,
    minimum: 5,
    maximum: 9,
    mean: 7,
    limit_min: 2,
    limit_max: 8,
    excursion_count: 1,
    excursion_seconds: 60,
    excursions: [{ from: at(60), to: at(120), seconds: 60, limit: 'max', extreme: 9 }],
    readings: {
      sha256: 'ab'.repeat(32),
      media_type: 'text/csv',
      size: 1234,
      kept_until: '2031-01-15T09:30:00.000Z',
      normalized_sha256: record.summary.normalizedSha256,
    },
    custody: {
      from: underWay.from,
      to: null,
      covered: { from: at(0), to: at(120), count: 3, minimum: 5, maximum: 9 },
      outside: { excursion_count: 0, excursion_seconds: 0, excursions: [] },
    },
    curve: { minimum: [5, 9, 7], maximum: [5, 9, 7] },
    recorded_by: 'operator',
  });
});

test('the payload of an excursion states the readings of its record within the custody', () => {
  const custody = { from: at(60), to: at(120) };
  const summary = summarize(readingsOf(22, 9, 7, 30), 'celsius', limits, custody);
  expect(excursionPayload(conditionPayload({ ...record, custody, summary }))).toEqual({
    v: 'condition/1',
    unit: 'celsius',
    from: at(60),
    to: at(120),
    minimum: 7,
    maximum: 9,
    limit_min: 2,
    limit_max: 8,
    excursion_count: 1,
    excursion_seconds: 60,
    readings_sha256: 'ab'.repeat(32),
  });
});

test('both payloads have exactly the declared members, and null where a value is unknown', () => {
  const unknown = conditionPayload({
    ...record,
    device: { id: 'LOG-7', calibrationReference: null, calibrationDate: null },
    limits: { min: null, max: null },
    summary: summarize(readingsOf(5), 'celsius', { min: null, max: null }, underWay),
  });
  expect(JSON.parse(JSON.stringify(unknown))).toMatchObject({
    calibration_reference: null,
    calibration_date: null,
    calibration_expired: null,
    interval_seconds: null,
    limit_min: null,
    limit_max: null,
    excursions: [],
  });
  const { CONDITION_RECORDED: condition, TEMPERATURE_EXCURSION: excursion } = payloadFields;
  expect(Object.keys(unknown)).toEqual(Object.keys(condition!));
  expect(Object.keys(excursionPayload(conditionPayload(record))!)).toEqual(Object.keys(excursion!));
  const declared = [...Object.values(condition!), ...Object.values(excursion!)];
  expect(new Set(declared)).toEqual(new Set(['open']));
});

test('a payload says that a calibration has expired, and has none of the future', () => {
  expect(payloadWith({ calibrationDate: '2025-01-15' }).calibration_expired).toBe(false);
  expect(payloadWith({ calibrationDate: '2025-01-14' }).calibration_expired).toBe(true);
  expect(rejectionOf(() => payloadWith({ calibrationDate: '2026-01-16' }))).toMatchObject({
    loc: ['device', 'calibration_date'],
  });
});

test('a payload stays below 64 KiB with the longest texts and numbers', () => {
  const summary = summarize(readingsOf(5, 9), 'celsius', limits, underWay);
  const longest = Number.MIN_VALUE * -1.2e15;
  const excursion = { from: at(0), to: at(1), seconds: 315_537_897_599.999, limit: 'max' } as const;
  const excursions = (count: number) => ({
    listed: Array.from({ length: count }, () => ({ ...excursion, extreme: longest })),
    ...{ count, seconds: excursion.seconds },
  });
  const name = '\u0001'.repeat(128);
  const payload = conditionPayload({
    ...record,
    device: { id: name, calibrationReference: name, calibrationDate: '2025-06-01' },
    summary: {
      ...summary,
      inside: excursions(100),
      outside: excursions(20),
      curve: {
        minimum: Array<number>(100).fill(-459.67),
        maximum: Array<number>(100).fill(-459.67),
      },
    },
  });
  expect(Buffer.byteLength(JSON.stringify(payload))).toBeLessThan(65_536 / 2);
});

describe('a text of the device has 1 to 128 characters', () => {
  test.each(['x', '😀'.repeat(128)])('%s is accepted', (text) => {
    expect(payloadWith({ id: text, calibrationReference: text })).toMatchObject({
      device_id: text,
      calibration_reference: text,
    });
  });

  test.each(['', 'x'.repeat(129)])('%j is rejected', (text) => {
    const error = 'expected 1 to 128 characters';
    expect(rejectionOf(() => payloadWith({ id: text }))).toMatchObject({
      loc: ['device', 'id'],
      ctx: { error },
    });
    expect(rejectionOf(() => payloadWith({ calibrationReference: text }))).toMatchObject({
      loc: ['device', 'calibration_reference'],
      ctx: { error },
    });
  });
});
