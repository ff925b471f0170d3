import { expect, test } from '@jest/globals';
import { concat, sameBytes } from '../../src/bytes/concat.ts';
import { hashBytes, isHash, toHex } from '../../src/bytes/hex.ts';

const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);

test('each byte is two lower-case digits, and reads back', () => {
  const hex = Buffer.from(everyByte).toString('hex');
  expect(toHex(everyByte)).toBe(hex);
  expect(hashBytes(hex)).toEqual(everyByte);
});

test('a hash is 64 lower-case digits', () => {
  expect(isHash('0123456789abcdef'.repeat(4))).toBe(true);
  for (const other of [null, 4, '', 'a'.repeat(63), 'a'.repeat(65), 'A'.repeat(64), 'g'.repeat(64)])
    expect(isHash(other)).toBe(false);
  expect(isHash(['a'.repeat(64)])).toBe(false);
});

test('arrays of bytes are joined in order', () => {
  expect(concat(Uint8Array.of(1, 2), Uint8Array.of(), Uint8Array.of(3))).toEqual(
    Uint8Array.of(1, 2, 3),
  );
  expect(concat()).toEqual(new Uint8Array(0));
});

test('two arrays are the same if each byte is', () => {
  expect(sameBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true);
  expect(sameBytes(Uint8Array.of(), Uint8Array.of())).toBe(true);
  for (const other of [[1], [1, 2, 3], [1, 3], [2, 2]])
    expect(sameBytes(Uint8Array.of(1, 2), Uint8Array.from(other))).toBe(false);
});
