import { createHash, hash } from 'node:crypto';
import { canonicalJson } from '@pto/custody-verifier';

/**
 * Returns the hash by which two bodies are the same (decision 23): SHA-256 of the RFC 8785 form of
 * the parsed JSON. A body with a lone surrogate or 1e999 in an ignored member has no such form; the
 * SHA-256 of a fixed line and the body's bytes is returned instead.
 */
export const bodyHash = (body: unknown, bytes: Uint8Array): Uint8Array => {
  let text: string;
  try {
    text = canonicalJson(body);
  } catch {
    return createHash('sha256').update('no RFC 8785 form\n').update(bytes).digest();
  }
  return Buffer.from(hash('sha256', text, 'base64'), 'base64'); // a third of the time of a Hash
};
