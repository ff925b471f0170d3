import { hash } from 'node:crypto';
import { type KeyRing, open, seal } from '@pto/sealing';

/** Version of the format: version, length of the key's id, the key's id, sealed bytes. */
const version = 1;
const head = 2;
/** Maximum number of bytes that the envelope adds: head, key id, nonce and tag. */
export const envelopeMaxBytes = head + 32 + 12 + 16;

/** Encrypts an artifact. Its name is the context of the encryption. */
export const toEnvelope = (ring: KeyRing, name: string, bytes: Uint8Array): Buffer => {
  const { keyId, sealed } = seal(ring, name, bytes);
  return Buffer.concat([Buffer.of(version, keyId.length), Buffer.from(keyId, 'latin1'), sealed]);
};

/**
 * Decrypts an artifact and verifies its SHA-256.
 * @throws Error if the bytes were changed or belong to another artifact, or the ring lacks their key.
 */
export const fromEnvelope = (
  ring: KeyRing,
  name: string,
  { envelope, sha256 }: { envelope: Buffer; sha256: string },
): Buffer => {
  if (envelope[0] !== version)
    throw new Error(`artifact ${name} has the unknown format ${envelope[0]}`);
  const end = head + (envelope[1] ?? 0);
  const keyId = envelope.toString('latin1', head, end);
  const bytes = openNamed(ring, name, { keyId, sealed: envelope.subarray(end) });
  if (hash('sha256', bytes) !== sha256)
    throw new Error(`artifact ${name} has another SHA-256 than its name`);
  return bytes;
};

const openNamed = (ring: KeyRing, name: string, sealed: Parameters<typeof open>[2]): Buffer => {
  try {
    return open(ring, name, sealed);
  } catch (cause) {
    const lacks = !ring.keys.some(({ id }) => id === sealed.keyId);
    const reason = lacks
      ? `its key is not in ${ring.setting}: add the key`
      : 'its stored bytes were changed: restore them from a backup';
    throw new Error(`artifact ${name} cannot be decrypted: ${reason}`, { cause });
  }
};
