import { expect, test } from '@jest/globals';
import { fromBase64, toBase64 } from '../../src/bytes/base64.ts';
import { Rejection } from '../../src/rejection.ts';

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
