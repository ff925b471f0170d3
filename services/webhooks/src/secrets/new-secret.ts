import { randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const length = 43;
/** Bytes from here on would favour the first letters: 4 × 62. */
const unbiased = 248;

/** A signing secret: `whsec_` and 43 base62 characters, 256 bits of randomness (decision 37). */
export const newSecret = (): string => {
  let text = '';
  while (text.length < length)
    for (const byte of randomBytes(64))
      if (byte < unbiased && text.length < length) text += alphabet[byte % 62];
  return `whsec_${text}`;
};
