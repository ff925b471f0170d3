import { describe, expect, test } from '@jest/globals';
import { entryPayload, entryPosition, entryTime } from '../../src/domain/command-metadata.ts';
import { readPayload } from '../../src/rpc/command-metadata.ts';

const now = Date.parse('2026-01-15T09:30:00.000Z');
const previous = '2026-01-15T09:00:00.000Z';

describe("the entry's time", () => {
  test.each([
    [null, previous, '2026-01-15T09:30:00.000Z'],
    [null, '2026-01-15T09:30:00.001Z', '2026-01-15T09:30:00.001Z'],
    [null, null, '2026-01-15T09:30:00.000Z'],
    [previous, previous, previous],
    ['2026-01-15T09:35:00.000Z', previous, '2026-01-15T09:35:00.000Z'],
  ])('at %s after %s is %s', (at, before, time) => {
    expect(entryTime(at, before, now)).toBe(time);
  });

  test.each(['2026-01-15T09:35:00.001Z', '2026-01-15T08:59:59.999Z'])('%s is refused', (at) => {
    expect(() => entryTime(at, previous, now)).toThrow();
  });
});

test('positions are rounded to 6 decimals and know no negative zero', () => {
  expect(entryPosition({ lat: 52.52000849, lng: -0.00000001 })).toEqual({ lat: 52.520008, lng: 0 });
  expect(Object.is(entryPosition({ lat: -0.0, lng: 0 })?.lat, 0)).toBe(true);
  for (const [lat, lng] of [
    [90.1, 0],
    [0, 180.1],
    [Number.NaN, 0],
  ] as const)
    expect(() => entryPosition({ lat, lng })).toThrow();
});

test("the operator's members stand beside the command's, and never in their place", () => {
  expect(entryPayload({ seal_ids: ['S'] }, { temperature: 4.5 })).toEqual({
    seal_ids: ['S'],
    temperature: 4.5,
  });
  expect(() => entryPayload({ seal_ids: ['S'] }, { seal_ids: [] })).toThrow();
});

describe('a payload that cannot be kept to the letter is refused', () => {
  test.each([
    '{"a":1}',
    '{"a":0.1}',
    '{"a":1.50}',
    '{"a":1e3}',
    '{"a":9007199254740993e0}'.replace('3e0', '2'),
  ])('%s is kept', (text) => expect(readPayload(text)).toEqual(JSON.parse(text)));
  test.each([
    '{"a":9007199254740993}',
    '{"a":1e999}',
    '{"a":-0.0}',
    '{"a":1,"a":2}',
    '{"a":{"b":1,"\\u0062":2}}',
    '{"a":1e-400}',
    '{"a":[{"b":12345678901234567890}]}',
    '{"a":0.10000000000000000001}',
    '{"a":"\\u0000"}',
    '{"a":"\\ud800"}',
    '{"\\ud800":1}',
    '[1]',
    'null',
    '{"a":',
    `{"a":${'['.repeat(20)}${']'.repeat(20)}}`,
    `{"a":"${'x'.repeat(16_400)}"}`,
  ])('%s is refused', (text) => expect(() => readPayload(text)).toThrow());
});
