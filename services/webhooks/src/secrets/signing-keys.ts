import type { KeyObject } from 'node:crypto';
import { signingKey } from '../signature/sign.ts';
import type { KeyRing } from './key-ring.ts';
import { open } from './seal.ts';

/** What is sealed, as a row holds it. */
export interface SealedRow {
  readonly sealing_key: string;
  /** Base64. */
  readonly sealed: string;
}

/** HMAC keys out of sealed secrets; those used last stay open in memory. */
export type SigningKeys = (endpointId: string, rows: readonly SealedRow[]) => KeyObject[];

/** @param keysMax opened keys that are kept. */
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
