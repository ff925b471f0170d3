import { describe, expect, test } from '@jest/globals';
import { entryFault, isInstant, isUuid } from '../src/entry-form.ts';
import { entries } from './samples/a-proof.ts';

const faultWith = (member: object) => entryFault({ ...entries[0], ...member });
const nested = (depth: number): unknown => (depth === 0 ? 0 : { a: nested(depth - 1) });

describe('an entry is rejected with the reason:', () => {
  const latitude = 'gps_lat is neither null nor a number from -90 to 90 with at most 6 decimals';
  const longitude = 'gps_lng is neither null nor a number from -180 to 180 with at most 6 decimals';
  const payload = 'payload is neither an object nor null';
  test.each([
    ['an id that is no text', { id: 7 }, 'id is not a UUID in lower case'],
    ['a type that is no text', { type: null }, 'type is no text'],
    ['an internal type that is no text', { internal_type: 7 }, 'internal_type is no text'],
    ['a type with a lone surrogate', { type: '\ud800' }, 'type is no text'],
    [
      'a time that is no text',
      { ts_utc: 7 },
      'ts_utc is not a time written YYYY-MM-DDTHH:mm:ss.sssZ',
    ],
    ['a latitude south of the pole', { gps_lat: -90.000001 }, latitude],
    ['a latitude of -0', { gps_lat: -0 }, latitude],
    ['a latitude that is a bigint', { gps_lat: 1n }, latitude],
    ['a longitude beyond 180', { gps_lng: 180.000001 }, longitude],
    ['a longitude of seven decimals', { gps_lng: 0.0000001 }, longitude],
    ['a payload that is a number', { payload: 7 }, payload],
    ['a payload that is a list', { payload: [] }, payload],
    ['33 levels of payload', { payload: nested(33) }, 'payload: nested too deeply'],
    ['a payload with NaN', { payload: { a: Number.NaN } }, 'payload: a number is not finite'],
  ])('%s', (_, member, reason) => {
    expect(faultWith(member)).toBe(reason);
  });

  test.each([
    ['the poles', [{ gps_lat: 90 }, { gps_lat: -90 }]],
    ['180 degrees east and west', [{ gps_lng: 180 }, { gps_lng: -180 }]],
    ['no position', [{ gps_lat: null, gps_lng: null }]],
    ['no payload and 32 levels of it', [{ payload: null }, { payload: nested(32) }]],
  ])('but not for %s', (_, members) => {
    expect(members.map(faultWith)).toEqual(members.map(() => null));
  });
});

test('a UUID is the whole text', () => {
  const id = 'b7d0d3c4-0a55-4c3e-8a1f-5f1f7b2f9d01';
  expect(isUuid(id)).toBe(true);
  for (const other of [`0${id}`, `${id}0`, id.toUpperCase(), `${id}\n`, '', 7])
    expect([other, isUuid(other)]).toEqual([other, false]);
});

describe('a time is one that exists, in one form', () => {
  test.each([
    '2026-01-28T00:00:00.000Z',
    '2024-02-29T09:59:59.999Z',
    '2026-10-30T19:00:00.000Z',
    '2026-11-09T20:00:00.000Z',
    '2026-12-31T23:59:59.999Z',
    '0001-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
  ])('%s exists', (time) => {
    expect(isInstant(time)).toBe(true);
  });

  test.each([
    '0000-01-01T00:00:00.000Z',
    '2026-02-29T00:00:00.000Z',
    '2026-04-31T00:00:00.000Z',
    '2026-00-01T00:00:00.000Z',
    '2026-13-01T00:00:00.000Z',
    '2026-01-00T00:00:00.000Z',
    '2026-01-32T00:00:00.000Z',
    '2026-01-01T24:00:00.000Z',
    '2026-01-01T00:60:00.000Z',
    '2026-01-01T00:00:60.000Z',
    '2026-01-01T00:00:00.000Z ',
    '+2026-01-01T00:00:00.000Z',
    '2026-01-01 00:00:00.000Z',
    '2026-01-01T00:00:00.00Z',
    '2026-01-01T00:00:00.000z',
    null,
  ])('%p does not', (time) => {
    expect(isInstant(time)).toBe(false);
  });
});
