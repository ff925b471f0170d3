/**
 * The form of an API key (decision 16): a prefix that names the environment, 43 base62 characters
 * of randomness, 6 base62 characters of CRC-32 over all before them. Pure.
 */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

export type Environment = 'production' | 'sandbox';

const prefixes: Readonly<Record<Environment, string>> = {
  production: 'svc_live_',
  sandbox: 'svc_test_',
};
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 43;
const checksumLength = 6;
const form = /^svc_(live|test)_[0-9A-Za-z]{49}$/;

const checksum = (text: string): string => {
  let rest = crc32(text);
  let encoded = '';
  for (let n = 0; n < checksumLength; n++) {
    encoded = digits[rest % digits.length] + encoded;
    rest = Math.floor(rest / digits.length);
  }
  return encoded;
};

export const newApiKey = (environment: Environment): string => {
  const random = Array.from({ length: randomLength }, () => digits[randomInt(digits.length)]);
  const body = prefixes[environment] + random.join('');
  return body + checksum(body);
};

/** The environment that a well-formed key is for; null for anything else, without a look-up. */
export const readApiKey = (text: string): Environment | null => {
  if (!form.test(text)) return null;
  const body = text.slice(0, -checksumLength);
  if (checksum(body) !== text.slice(-checksumLength)) return null;
  return text.startsWith(prefixes.production) ? 'production' : 'sandbox';
};

/** What is stored in place of a key: 32 bytes. */
export const hashApiKey = (key: string): Buffer => createHash('sha256').update(key).digest();
