import type { KeyObject } from 'node:crypto';
import { signingKey } from '../signature/sign.ts';
import type { KeyRing } from './key-ring.ts';
import { open } from './seal.ts';

/** A sealed secret, as statements of this service select it. */
export interface SealedRow {
  readonly sealing_key: string;
  /** Nonce, tag and ciphertext in base64. */
  readonly sealed: string;
}

/**
 * Returns the HMAC keys of an endpoint's sealed secrets, in the order of the rows. Decrypted keys
 * are cached in memory.
 * @throws Error if a secret cannot be decrypted.
 */
export type SigningKeys = (endpointId: string, rows: readonly SealedRow[]) => KeyObject[];

/**
 * Returns a function with its own cache of decrypted keys.
 * @param keysMax maximum number of cached keys; a further key replaces the key that was cached
 *   first.
 */
export const openSigningKeys = (ring: KeyRing, keysMax = 10_000): SigningKeys => {
  const opened = new Map<string, KeyObject>();
  return (endpointId, rows) =>
    rows.map((row) => {
      const known = opened.get(row.sealed);
      if (known) return known;
      const bytes = Buffer.from(row.sealed, 'base64');
      const key = signingKey(open(ring, endpointId, { keyId: row.sealing_key, bytes }));
      if (opened.size >= keysMax) opened.delete(opened.keys().next().value!);
      opened.set(row.sealed, key);
      return key;
    });
};
