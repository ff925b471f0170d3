import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Keys that encrypt webhook secrets at rest. The first key encrypts; every key can decrypt. */
export type KeyRing = readonly SealingKey[];

export interface SealingKey {
  readonly id: string;
  readonly key: Buffer;
}

/**
 * Parses one entry of WEBHOOKS_SECRET_KEYS: `id:base64`, a key of 32 bytes.
 * @throws Error with the expected form, without the value.
 */
export const parseSealingKey = (text: string): SealingKey => {
  const [, id, base64] = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=?)$/.exec(text) ?? [];
  const key = Buffer.from(base64 ?? '', 'base64');
  if (id === undefined || key.length !== 32)
    throw new Error('expected id:key, the key being 32 bytes in base64');
  return { id, key };
};

/** Returns the keys as a ring. @throws Error if there is no key or two keys have one id. */
export const keyRing = (keys: readonly SealingKey[]): KeyRing => {
  if (keys.length === 0) throw new Error('expected at least one id:key');
  const ids = keys.map(({ id }) => id);
  const twice = ids.find((id, n) => ids.indexOf(id) < n);
  if (twice !== undefined) throw new Error(`two keys have the id ${twice}`);
  return keys;
};

/** An encrypted secret, by the columns of `endpoint_secrets`. */
export interface Sealed {
  /** Id of the key that decrypts it. */
  readonly sealing_key: string;
  /** Nonce (12 bytes), tag (16 bytes) and ciphertext. */
  readonly sealed: Buffer;
}

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/**
 * Encrypts a secret with the ring's first key. The endpoint's id is authenticated data: a row that
 * is copied to another endpoint cannot be decrypted.
 */
export const seal = (ring: KeyRing, endpointId: string, secret: string): Sealed => {
  const [{ id, key }] = ring as [KeyRing[number]];
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(endpointId));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return { sealing_key: id, sealed: Buffer.concat([nonce, cipher.getAuthTag(), text]) };
};

/**
 * Decrypts a secret.
 * @throws Error if the secret's key is not in the ring, its bytes were changed, or it was encrypted
 *   for another endpoint.
 */
export const open = (
  ring: KeyRing,
  endpointId: string,
  { sealing_key: keyId, sealed }: Sealed,
): string => {
  const found = ring.find(({ id }) => id === keyId);
  if (!found)
    throw new Error(
      `the secret is encrypted with key ${keyId}, which WEBHOOKS_SECRET_KEYS lacks: add the key`,
    );
  const nonce = sealed.subarray(0, nonceLength);
  const tag = sealed.subarray(nonceLength, nonceLength + tagLength);
  const decipher = createDecipheriv(algorithm, found.key, nonce, { authTagLength: tagLength })
    .setAAD(Buffer.from(endpointId))
    .setAuthTag(tag);
  const text = sealed.subarray(nonceLength + tagLength);
  return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
};
