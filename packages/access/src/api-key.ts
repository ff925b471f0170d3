import { createHmac, hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

export type Environment = 'production' | 'sandbox';

/** API keys are checked secrets whose prefix names the environment (decision 16). */
const prefixes = { production: 'svc_live_', sandbox: 'svc_test_' } as const;
const environments = ['production', 'sandbox'] as const;

export const newApiKey = (environment: Environment): string =>
  newCheckedSecret(prefixes[environment]);

export const derivedApiKey = (environment: Environment, secret: string, nonce: string): string =>
  derivedSecret(prefixes[environment], secret, nonce);

/**
 * Returns the checked secret of a secret with 256 random bits and a nonce: always the same one, and
 * one that neither of them tells without the other.
 */
export const derivedSecret = (prefix: string, secret: string, nonce: string): string => {
  let rest = BigInt(`0x${createHmac('sha256', secret).update(nonce).digest('hex')}`);
  const of: string[] = [];
  for (; of.length < randomLength; rest /= base) of.unshift(digits[Number(rest % base)]!);
  return checked(prefix + of.join(''));
};

/**
 * Returns the environment of a well-formed key, also of an unknown one; null for any other text.
 */
export const readApiKey = (text: string): Environment | null =>
  environments.find((environment) => isCheckedSecret(prefixes[environment], text)) ?? null;

/** The scopes of API keys (contract 5.6), and that of a partner who rotates keys. */
export const scopes = ['orders:read', 'orders:write', 'webhooks:manage', 'keys:rotate'] as const;

export type Scope = (typeof scopes)[number];

export const isScope = (text: string): text is Scope =>
  (scopes as readonly string[]).includes(text);

/**
 * Secrets with a checksum (decisions 16 and 59): a prefix, 43 random base62 characters, and 6
 * base62 characters with the CRC-32 of all characters before them.
 */
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base = BigInt(digits.length);
/** 43 digits hold 256 bits. */
const randomLength = 43;
const checksumLength = 6;

const checksum = (text: string): string => {
  let rest = crc32(text);
  let encoded = '';
  for (let n = 0; n < checksumLength; n++) {
    encoded = digits[rest % digits.length] + encoded;
    rest = Math.floor(rest / digits.length);
  }
  return encoded;
};

const checked = (body: string): string => body + checksum(body);

export const newCheckedSecret = (prefix: string): string => {
  const random = Array.from({ length: randomLength }, () => digits[randomInt(digits.length)]);
  return checked(prefix + random.join(''));
};

/** Returns whether the text has the prefix, the length, the alphabet and the right checksum. */
export const isCheckedSecret = (prefix: string, text: string): boolean => {
  if (!text.startsWith(prefix)) return false;
  if (!/^[0-9A-Za-z]{49}$/.test(text.slice(prefix.length))) return false;
  return checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
};

/** Returns the stored form of a secret: its SHA-256, 32 bytes. */
export const hashSecret = (secret: string): Buffer => Buffer.from(hashText(secret), 'base64');

/** Returns the SHA-256 of a secret in base64. As a Buffer it takes Node three times as long. */
export const hashText = (secret: string): string => hash('sha256', secret, 'base64');
