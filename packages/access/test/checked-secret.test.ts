import { crc32 } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  derivedApiKey,
  isCheckedSecret,
  newApiKey,
  newCheckedSecret,
  readApiKey,
} from '../src/index.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base62 = (n: number): string => (n === 0 ? '' : base62(Math.floor(n / 62)) + digits[n % 62]);
const withChecksum = (body: string) => body + base62(crc32(body)).padStart(6, '0');

const forms: [string, string, (text: string) => boolean][] = [
  ['an API key', newApiKey('production'), (text) => readApiKey(text) !== null],
  ["a sandbox's API key", newApiKey('sandbox'), (text) => readApiKey(text) !== null],
  ["an operator's token", newCheckedSecret('opt_'), (text) => isCheckedSecret('opt_', text)],
];
const lengths = [0, 1, 15, 31, 33, 42, 44, 63, 65];

test.each(forms)(
  '%s of another length is rejected, also with the checksum of its own',
  (_, secret, isForm) => {
    const prefix = secret.slice(0, -49);
    const random = secret.slice(prefix.length, -6);
    expect(withChecksum(prefix + random)).toBe(secret);
    expect(isForm(secret)).toBe(true);
    for (const length of lengths) {
      const other = prefix + random.repeat(2).slice(0, length);
      expect([length, isForm(other), isForm(withChecksum(other))]).toEqual([length, false, false]);
    }
    for (const other of [
      secret.slice(0, -1),
      `${secret}0`,
      `${secret}\n`,
      `${secret}=`,
      ` ${secret}`,
    ])
      expect([other, isForm(other)]).toEqual([other, false]);
  },
);

test('a derived key is a key, always the same, and another for each secret, nonce and environment', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string(), (secret, nonce) => {
      const key = derivedApiKey('sandbox', secret, nonce);
      expect(readApiKey(key)).toBe('sandbox');
      expect(derivedApiKey('sandbox', secret, nonce)).toBe(key);
      for (const other of [
        derivedApiKey('production', secret, nonce),
        derivedApiKey('sandbox', `${secret}x`, nonce),
        derivedApiKey('sandbox', secret, `${nonce}x`),
      ])
        expect(other).not.toBe(key);
    }),
  );
});

describe("the key's form", () => {
  test('prefix, 43 random characters, 6 of checksum', () => {
    expect(newApiKey('production')).toMatch(/^svc_live_[0-9A-Za-z]{49}$/);
    expect(newApiKey('sandbox')).toMatch(/^svc_test_[0-9A-Za-z]{49}$/);
    expect(readApiKey(newApiKey('production'))).toBe('production');
    expect(readApiKey(newApiKey('sandbox'))).toBe('sandbox');
    const many = Array.from({ length: 1000 }, () => newApiKey('sandbox'));
    expect(new Set(many).size).toBe(1000);
  });

  test('the checksum is CRC-32 in base62, most significant digit first, padded', () => {
    const body = `svc_test_${'0'.repeat(43)}`;
    // CRC-32 (IEEE) of the body, as zlib.crc32 of Python gives it
    const key = `${body}${base62(1_815_723_400).padStart(6, '0')}`;
    expect(readApiKey(key)).toBe('sandbox');
  });

  test('any changed character is refused without a look-up', () => {
    fc.assert(
      fc.property(fc.nat(57), fc.constantFrom(...'0Az_-ä '), (at, character) => {
        const key = newApiKey('sandbox');
        const changed = key.slice(0, at) + character + key.slice(at + 1);
        expect(readApiKey(changed)).toBe(changed === key ? 'sandbox' : null);
      }),
    );
  });
});
