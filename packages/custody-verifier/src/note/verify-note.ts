import { Refused } from '../refused.ts';
import { parseNote } from './signed-note.ts';
import type { VerifierKey } from './vkey.ts';

/** This program has no Ed25519: whether a signature holds is unknown. */
export class Unchecked extends Refused {
  constructor(why: string) {
    super(`this program cannot check signatures: ${why}`);
  }
}

/**
 * Checks a signed note with known keys. At least one of them must have signed.
 * @returns the signed text, and the keys that signed it.
 * @throws Refused
 */
export const verifyNote = async <Key extends VerifierKey>(
  note: unknown,
  keys: readonly Key[],
): Promise<{ text: string; signers: Key[] }> => {
  const signed = await signersOf(note, keys);
  if (signed.signers.length === 0) throw new Refused('it has no signature by a known key');
  return signed;
};

/**
 * Returns which of the known keys signed a note, maybe none. Signatures of other keys are ignored.
 * @throws Refused if the signature of a known key does not hold; Unchecked without Ed25519.
 */
export const signersOf = async <Key extends VerifierKey>(
  note: unknown,
  keys: readonly Key[],
): Promise<{ text: string; signers: Key[] }> => {
  const { text, signatures } = parseNote(note);
  const signed = new TextEncoder().encode(text);
  const signers: Key[] = [];
  for (const { name, keyId, signature } of signatures) {
    const key = keys.find((known) => known.name === name && known.id === keyId);
    if (!key) continue;
    if (!(await isSignedBy(key, signature, signed)))
      throw new Refused(`the signature of ${name}+${keyId} does not hold`);
    signers.push(key);
  }
  return { text, signers };
};

const isSignedBy = async (
  { publicKey }: VerifierKey,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  // Browsers show it to pages that came over HTTPS only, and the types do not know that.
  const subtle: typeof crypto.subtle | undefined = globalThis.crypto?.subtle;
  if (!subtle) throw new Unchecked('crypto.subtle is missing; is the page on HTTPS?');
  try {
    const key = await subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
    return await subtle.verify('Ed25519', key, signature, signed);
  } catch (error) {
    if ((error as Error).name === 'NotSupportedError')
      throw new Unchecked('its crypto.subtle does not know Ed25519');
    return false;
  }
};
