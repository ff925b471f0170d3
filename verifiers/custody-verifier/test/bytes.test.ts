import { expect, test } from '@jest/globals';
import { concat, fromBase64, hashBytes, isHash, sameBytes, toBase64, toHex } from '../src/bytes.ts';
import { Rejection } from '../src/rejection.ts';

test.each([
  ['', ''],
  ['00', 'AA=='],
  ['fbff', '+/8='],
  ['fbffbf', '+/+/'],
])('the bytes %s are %s', (hex, text) => {
  expect(toBase64(Buffer.from(hex, 'hex'))).toBe(text);
  expect(Buffer.from(fromBase64(text)).toString('hex')).toBe(hex);
  expect(fromBase64(text, hex.length / 2)).toHaveLength(hex.length / 2);
});

test.each([
  null,
  4,
  'A',
  'AA',
  'AA=',
  'AAA',
  'AB==',
  'AAB=',
  '-_8=',
  'A===',
  '=AA=',
  ' AA=',
  'AA== ',
  'AA==A',
  'AA==AAAA',
  'AAAA====',
  'AAAA\n',
  'AA\nAA',
])('%j is not base64 in its canonical form', (text) => {
  expect(() => fromBase64(text)).toThrow(new Rejection('not base64 in its canonical form'));
});

test('another length than the expected one is rejected', () => {
  expect(() => fromBase64('AAAA', 2)).toThrow(new Rejection('3 bytes where 2 belong'));
  expect(() => fromBase64('', 1)).toThrow(new Rejection('0 bytes where 1 belong'));
});

test('a text of 4,096 characters is read, a longer one is rejected unread', () => {
  expect(fromBase64('A'.repeat(4096))).toHaveLength(3072);
  expect(() => fromBase64('A'.repeat(4100))).toThrow(
    new Rejection('longer than 4096 characters of base64'),
  );
});

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
