import { expect, test } from '@jest/globals';
import { readPosition } from '../../src/rpc/command-metadata.ts';

test.each([
  [90, 180],
  [-90, -180],
])('the position %d, %d is accepted', (lat, lng) => {
  expect(readPosition({ lat, lng })).toEqual({ lat, lng });
});

test('a position has 6 decimals and no negative zero', () => {
  const position = { lat: 52.52000849, lng: -0.00000001 };
  expect(readPosition(position)).toEqual({ lat: 52.520008, lng: 0 });
  expect(Object.is(readPosition({ lat: -0.0, lng: 0 }).lat, 0)).toBe(true);
});

test.each([
  [Number.NaN, 0, 'lat', Number.NaN, 'latitude lies between -90 and 90'],
  [90.000001, 0, 'lat', 90.000001, 'latitude lies between -90 and 90'],
  [0, -180.000001, 'lng', -180.000001, 'longitude lies between -180 and 180'],
])('the position %d, %d is rejected at %s', (lat, lng, member, input, error) => {
  const detail = [expect.objectContaining({ loc: [member], input, ctx: { error } })];
  expect(() => readPosition({ lat, lng })).toThrow(
    expect.objectContaining({ kind: 'VALIDATION', details: { detail } }),
  );
});
