import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { hmacWith } from '../src/proof-of-origin.ts';

const hmacOf = (key: Uint8Array) => hmacWith(createSecretKey(key));
const byNode = (key: Uint8Array, text: string, bytes: Uint8Array): string =>
  createHmac('sha256', key).update(text).update(bytes).digest('binary');

test('a code is the one that node:crypto computes, for each length of key and input', () => {
  for (const keyBytes of [0, 1, 32, 63, 64]) {
    const key = randomBytes(keyBytes);
    const hmac = hmacOf(key);
    for (const [text, length] of [
      ['', 0],
      ['', 55],
      ['["a"]\n', 56],
      ['ä😀\n', 64],
      ['x'.repeat(300), 1000],
      ['€'.repeat(30_000), 10],
      ['', 65_535 - 64],
      ['', 65_536],
      ['\n', 300_000],
    ] as const) {
      const bytes = randomBytes(length);
      expect(hmac(text, bytes)).toBe(byNode(key, text, bytes));
    }
  }
});

test('codes of two keys in turn do not depend on each other', () => {
  const [one, other] = [randomBytes(32), randomBytes(32)];
  const [first, second] = [hmacOf(one), hmacOf(other)];
  const bytes = randomBytes(200);
  const codes = [first, second, first].map((hmac) => hmac('text', bytes));
  expect(codes).toEqual([one, other, one].map((key) => byNode(key, 'text', bytes)));
});

test('a key that is longer than a block is an error', () => {
  expect(() => hmacOf(randomBytes(65))).toThrow('longer than a block');
});
