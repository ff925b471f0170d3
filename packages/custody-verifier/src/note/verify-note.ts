import { Refused } from '../refused.ts';
import { parseNote } from './signed-note.ts';
import type { VerifierKey } from './vkey.ts';

/**
 * Checks a signed note with known keys. Signatures of other keys are passed over; one of a known
 * key that does not hold, or none of a known key at all, refuses the note.
 * @returns the signed text, and the keys that did sign it.
 * @throws Refused
 */
export const verifyNote = async (
  note: unknown,
  keys: readonly VerifierKey[],
): Promise<{ text: string; signers: VerifierKey[] }> => {
  const { text, signatures } = parseNote(note);
  const signed = new TextEncoder().encode(text);
  const signers: VerifierKey[] = [];
  for (const { name, keyId, signature } of signatures) {
    const key = keys.find((known) => known.name === name && known.id === keyId);
    if (!key) continue;
    if (!(await isSignedBy(key, signature, signed)))
      throw new Refused(`the signature of ${name}+${keyId} does not hold`);
    signers.push(key);
  }
  if (signers.length === 0) throw new Refused('it has no signature by a known key');
  return { text, signers };
};

const isSignedBy = async (
  { publicKey }: VerifierKey,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  // Browsers show it to pages that came over HTTPS only, and the types do not know that.
  const subtle: typeof crypto.subtle | undefined = globalThis.crypto?.subtle;
  if (!subtle) throw new Refused(cannotCheck('crypto.subtle is missing; is the page on HTTPS?'));
  try {
    const key = await subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
    return await subtle.verify('Ed25519', key, signature, signed);
  } catch (error) {
    if ((error as Error).name === 'NotSupportedError')
      throw new Refused(cannotCheck('its crypto.subtle does not know Ed25519'));
    return false;
  }
};

const cannotCheck = (why: string): string => `this program cannot check signatures: ${why}`;
