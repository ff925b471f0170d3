import { createHash } from 'node:crypto';
import { canonicalJson } from '@pto/custody-verifier';

/**
 * Returns the hash by which two bodies are the same (decision 23): SHA-256 of the RFC 8785 form of
 * the parsed JSON. A body with a lone surrogate or 1e999 in an ignored member has no such form; the
 * SHA-256 of a fixed line and the body's bytes is returned instead.
 */
export const bodyHash = (body: unknown, bytes: Uint8Array): Uint8Array => {
  const hash = createHash('sha256');
  try {
    return hash.update(canonicalJson(body)).digest();
  } catch {
    return hash.update('no RFC 8785 form\n').update(bytes).digest();
  }
};
