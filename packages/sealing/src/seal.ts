import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyRing } from '@pto/config';

export interface Sealed {
  /** Id of the key that decrypts the bytes. */
  readonly keyId: string;
  /** Nonce (12 bytes), tag (16 bytes) and ciphertext. */
  readonly sealed: Buffer;
}

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/**
 * Encrypts bytes with the ring's first key. The context is authenticated data: bytes that are
 * copied to another context cannot be decrypted.
 * @param context names what the bytes belong to, such as the id of their row.
 */
export const seal = (ring: KeyRing, context: string, bytes: Uint8Array): Sealed => {
  const { id, key } = ring.keys[0];
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context));
  const text = [cipher.update(bytes), cipher.final()];
  return { keyId: id, sealed: Buffer.concat([nonce, cipher.getAuthTag(), ...text]) };
};

/**
 * Decrypts bytes.
 * @throws Error if the key is not in the ring, the bytes were changed, or they were encrypted for
 *   another context.
 */
export const open = (ring: KeyRing, context: string, { keyId, sealed }: Sealed): Buffer => {
  const found = ring.keys.find(({ id }) => id === keyId);
  if (!found)
    throw new Error(
      `the bytes are encrypted with key ${keyId}, which ${ring.setting} lacks: add the key`,
    );
  const nonce = sealed.subarray(0, nonceLength);
  const tag = sealed.subarray(nonceLength, nonceLength + tagLength);
  const decipher = createDecipheriv(algorithm, found.key, nonce, { authTagLength: tagLength })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag);
  const text = sealed.subarray(nonceLength + tagLength);
  return Buffer.concat([decipher.update(text), decipher.final()]);
};
