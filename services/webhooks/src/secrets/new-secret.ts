import { randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const length = 43;
/**
 * 4 × 62. Bytes from 248 on are skipped, because they would make the first 8 characters of the
 * alphabet more likely.
 */
const unbiased = 248;

/**
 * Returns a new signing secret: `whsec_` and 43 base62 characters, 256 random bits (decision 37).
 */
export const newSecret = (): string => {
  let text = '';
  while (text.length < length)
    for (const byte of randomBytes(64))
      if (byte < unbiased && text.length < length) text += alphabet[byte % 62];
  return `whsec_${text}`;
};
