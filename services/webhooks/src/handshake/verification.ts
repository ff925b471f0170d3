import { randomBytes } from 'node:crypto';

/** 32 random bytes, base64url (decision 35). */
export const newNonce = (): string => randomBytes(32).toString('base64url');

/** The URL with `verification=<nonce>` behind its own query, which is kept to the letter. */
export const verificationUrl = (url: string, nonce: string): URL => {
  const target = new URL(url);
  target.search += `${target.search === '' ? '?' : '&'}verification=${nonce}`;
  return target;
};
