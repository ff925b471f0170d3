import { describe, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { entryPayload, entryTime } from '../../src/domain/decide.ts';

const now = Date.parse('2026-01-15T09:30:00.000Z');
const previous = '2026-01-15T09:00:00.000Z';

/** The entry of `detail` that the call is rejected with. */
const detailOf = (call: () => unknown): unknown => {
  try {
    call();
  } catch (error) {
    if (error instanceof Failure) return (error.details!.detail as unknown[])[0];
    throw error;
  }
  throw new Error('the call was accepted');
};

describe('a time', () => {
  test.each([
    [null, previous, '2026-01-15T09:30:00.000Z'],
    [null, '2026-01-15T09:30:00.001Z', '2026-01-15T09:30:00.001Z'],
    [null, null, '2026-01-15T09:30:00.000Z'],
    [previous, previous, previous],
    ['2026-01-15T09:35:00.000Z', previous, '2026-01-15T09:35:00.000Z'],
  ])('of %s after %s is %s', (at, before, time) => {
    expect(entryTime(at, before, now)).toBe(time);
  });

  test('before the last event is rejected with the time of that event', () => {
    const at = '2026-01-15T08:59:59.999Z';
    expect(detailOf(() => entryTime(at, previous, now))).toMatchObject({
      loc: ['at'],
      input: at,
      ctx: { error: "the time is before the order's last event, 2026-01-15T09:00:00.000Z" },
    });
  });

  test('more than 5 minutes ahead is rejected', () => {
    const at = '2026-01-15T09:35:00.001Z';
    expect(detailOf(() => entryTime(at, null, now))).toMatchObject({
      loc: ['at'],
      input: at,
      ctx: { error: 'the time is more than 5 minutes ahead' },
    });
  });

  test('of the first event may be any in the past', () => {
    expect(entryTime('2020-01-01T00:00:00.000Z', null, now)).toBe('2020-01-01T00:00:00.000Z');
  });
});

describe('a payload', () => {
  test('of one side alone is that side', () => {
    expect(entryPayload(null, null)).toBeNull();
    expect(entryPayload({ a: 1 }, null)).toEqual({ a: 1 });
    expect(entryPayload(null, { b: 2 })).toEqual({ b: 2 });
  });

  test('of both sides has the members of both', () => {
    const seals = { seal_ids: ['S'] };
    expect(entryPayload(seals, { temperature: 4.5 })).toEqual({ ...seals, temperature: 4.5 });
  });

  test('with a member of both sides is rejected at that member', () => {
    expect(detailOf(() => entryPayload({ a: 1 }, { b: 2, a: 3 }))).toMatchObject({
      loc: ['payload', 'a'],
      ctx: { error: 'this member is set by the command itself' },
    });
  });
});
