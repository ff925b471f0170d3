import { type KeyRing, open, seal } from '@pto/sealing';

/** An encrypted secret, by the columns of `endpoint_secrets`. */
export interface SealedSecret {
  /** Id of the key that decrypts it. */
  readonly sealing_key: string;
  /** Nonce, tag and ciphertext, as @pto/sealing returns them. */
  readonly sealed: Buffer;
}

/** Encrypts a secret. The endpoint's id is its context. */
export const sealSecret = (ring: KeyRing, endpointId: string, secret: string): SealedSecret => {
  const { keyId, sealed } = seal(ring, endpointId, Buffer.from(secret, 'utf8'));
  return { sealing_key: keyId, sealed };
};

/**
 * Decrypts a secret.
 * @throws Error if the secret's key is not in the ring, its bytes were changed, or it was encrypted
 *   for another endpoint.
 */
export const openSecret = (
  ring: KeyRing,
  endpointId: string,
  { sealing_key: keyId, sealed }: SealedSecret,
): string => open(ring, endpointId, { keyId, sealed }).toString('utf8');
