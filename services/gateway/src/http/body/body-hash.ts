import { createHash } from 'node:crypto';
import { canonicalJson } from '@pto/custody-verifier';

/**
 * What makes two bodies the same (decision 23): SHA-256 of the RFC 8785 form of the parsed JSON. A
 * body that has no such form, because a member that we ignore holds a lone surrogate or 1e999, is
 * compared byte for byte.
 */
export const bodyHash = (body: unknown, bytes: Uint8Array): Uint8Array => {
  const hash = createHash('sha256');
  try {
    return hash.update(canonicalJson(body)).digest();
  } catch {
    return hash.update('no RFC 8785 form\n').update(bytes).digest();
  }
};
