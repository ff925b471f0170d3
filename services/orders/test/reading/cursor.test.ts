import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { readCursor, writeCursor } from '../../src/reading/cursor.ts';

const key = Buffer.alloc(32, 7);
const keys = [key] as const;
const filters = ['organization', 'SUBMITTED', undefined];
const position = {
  createdAt: '2026-01-15 09:30:00.123456+00',
  id: '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11',
};
const cursor = writeCursor(keys, filters, position);
const notIssued = 'this cursor was not issued by this service';
const otherFilters = 'this cursor belongs to a list with other filters';

const rejectionOf = (call: () => unknown): unknown => {
  try {
    call();
  } catch (error) {
    if (error instanceof Failure) return (error.details!.detail as unknown[])[0];
    throw error;
  }
  throw new Error('the cursor was accepted');
};

test('a cursor returns its position to the microsecond', () => {
  expect(readCursor(keys, filters, cursor)).toEqual(position);
});

test('the bytes of a cursor stay as they are, so that a cursor outlives a deployment', () => {
  expect(cursor).toBe(
    '_QB5NgjeVByfYnQL54LUi1u4V7YI7Lz3MjAyNi0wMS0xNSAwOTozMDowMC4xMjM0NTYrMDB8M2YwYzFhNTItOGY1ZS00YjdlLTliMGEtMmY2ZDFjOWU3YTEx',
  );
});

describe('a cursor that this service did not issue is rejected', () => {
  const bytes = Buffer.from(cursor, 'base64url');

  test.each(Array.from(bytes, (_, at) => at))('with byte %i changed', (at) => {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1;
    expect(
      rejectionOf(() => readCursor(keys, filters, changed.toString('base64url'))),
    ).toMatchObject({ loc: ['query', 'cursor'], ctx: { error: notIssued } });
  });

  test.each(Array.from({ length: 25 }, (_, length) => length))('cut to %i bytes', (length) => {
    const cut = bytes.subarray(0, length).toString('base64url');
    expect(rejectionOf(() => readCursor(keys, filters, cut))).toMatchObject({
      input: cut,
      ctx: { error: notIssued },
    });
  });

  test.each([31, 33, 63, 65])('cut to %i bytes, or continued to so many', (length) => {
    for (const other of [bytes.subarray(0, length), Buffer.concat([bytes, Buffer.alloc(length)])])
      expect(
        rejectionOf(() => readCursor(keys, filters, other.toString('base64url'))),
      ).toMatchObject({ ctx: { error: notIssued } });
  });

  test.each([0, 1, 15, 17, 31, 32])('with a code of %i bytes', (length) => {
    const body = bytes.subarray(16);
    const whole = createHmac('sha256', key).update(body).digest();
    expect(whole.subarray(0, 16)).toEqual(bytes.subarray(0, 16));
    const text = Buffer.concat([whole.subarray(0, length), body]).toString('base64url');
    expect(rejectionOf(() => readCursor(keys, filters, text))).toMatchObject({
      ctx: { error: notIssued },
    });
  });

  test.each([
    `${cursor}=`,
    `${cursor} `,
    `!${cursor}`,
    `${cursor}A`,
    `${cursor}==AAAA`,
    `${cursor.replaceAll('_', '/')}`,
  ])('written as %j', (text) => {
    expect(rejectionOf(() => readCursor(keys, filters, text))).toMatchObject({
      ctx: { error: notIssued },
    });
  });

  test('with the key of another installation', () => {
    const other = writeCursor([Buffer.alloc(32, 8)], filters, position);
    expect(rejectionOf(() => readCursor(keys, filters, other))).toMatchObject({
      ctx: { error: notIssued },
    });
  });
});

const next = Buffer.alloc(32, 9);

test.each([
  ['behind the old one', [key, next]],
  ['before the old one', [next, key]],
] as const)('a cursor of the old key is read with the new key %s', (_, both) => {
  expect(readCursor(both, filters, cursor)).toEqual(position);
});

test('the first key signs', () => {
  const signed = writeCursor([next, key], filters, position);
  expect(readCursor([next], filters, signed)).toEqual(position);
  expect(rejectionOf(() => readCursor(keys, filters, signed))).toMatchObject({
    ctx: { error: notIssued },
  });
});

test.each([
  [['another', 'SUBMITTED', undefined]],
  [['organization', 'CANCELLED', undefined]],
  [['organization', undefined, 'SUBMITTED']],
  [['organization', 'SUBMITTED', 'A']],
])('a cursor is rejected with the filters %j', (others) => {
  expect(rejectionOf(() => readCursor(keys, others, cursor))).toMatchObject({
    loc: ['query', 'cursor'],
    input: cursor,
    ctx: { error: otherFilters },
  });
});
