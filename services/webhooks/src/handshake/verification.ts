import { randomBytes } from 'node:crypto';

/** Returns 32 random bytes in base64url (decision 35). */
export const newNonce = (): string => randomBytes(32).toString('base64url');

/** Returns the URL with `verification=<nonce>` appended to its unchanged query. */
export const verificationUrl = (url: string, nonce: string): URL => {
  const target = new URL(url);
  target.search += `${target.search === '' ? '?' : '&'}verification=${nonce}`;
  return target;
};
