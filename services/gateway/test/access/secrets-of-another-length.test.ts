import { crc32 } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { newApiKey, readApiKey } from '../../src/access/api-key.ts';
import { isToken, newToken } from '../../src/operators/token-form.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base62 = (n: number): string => (n === 0 ? '' : base62(Math.floor(n / 62)) + digits[n % 62]);
const withChecksum = (body: string) => body + base62(crc32(body)).padStart(6, '0');

const forms: [string, string, (text: string) => boolean][] = [
  ['an API key', newApiKey('production'), (text) => readApiKey(text) !== null],
  ["a sandbox's API key", newApiKey('sandbox'), (text) => readApiKey(text) !== null],
  ["an operator's token", newToken(), isToken],
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
