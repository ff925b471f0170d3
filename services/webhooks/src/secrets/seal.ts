import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyRing } from './key-ring.ts';

/** A secret at rest: which key opens it, and nonce (12 bytes), tag (16) and ciphertext in a row. */
export interface Sealed {
  readonly keyId: string;
  readonly bytes: Buffer;
}

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/** Seals with the ring's first key. Bound to the endpoint: a copied row opens nowhere else. */
export const seal = (ring: KeyRing, endpointId: string, secret: string): Sealed => {
  const [{ id, key }] = ring as [KeyRing[number]];
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(endpointId));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return { keyId: id, bytes: Buffer.concat([nonce, cipher.getAuthTag(), text]) };
};

/** @throws Error where the key is not in the ring, or what is sealed was changed. */
export const open = (ring: KeyRing, endpointId: string, sealed: Sealed): string => {
  const found = ring.find(({ id }) => id === sealed.keyId);
  if (!found) throw new Error(`sealed with key ${sealed.keyId}, which is not configured`);
  const nonce = sealed.bytes.subarray(0, nonceLength);
  const tag = sealed.bytes.subarray(nonceLength, nonceLength + tagLength);
  const decipher = createDecipheriv(algorithm, found.key, nonce, { authTagLength: tagLength })
    .setAAD(Buffer.from(endpointId))
    .setAuthTag(tag);
  const text = sealed.bytes.subarray(nonceLength + tagLength);
  return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
};
