import { Rejection } from '../rejection.ts';
import { isSignedBy } from './ed25519.ts';
import { parseNote } from './signed-note.ts';
import type { LogKey } from './vkey.ts';

/**
 * Verifies a signed note with known keys, of which at least one must have signed.
 * @returns the signed text, and the known keys that signed it.
 * @throws Rejection if the note is malformed, no known key has signed, or the signature of a known
 *   key does not verify; Unchecked if this program has no Ed25519.
 */
export const verifyNote = async <Key extends LogKey>(
  note: unknown,
  keys: readonly Key[],
): Promise<{ text: string; signers: Key[] }> => {
  const signed = await signersOf(note, keys);
  if (signed.signers.length === 0) throw new Rejection('it has no signature by a known key');
  return signed;
};

/**
 * Returns the signed text of a note, and the known keys that signed it, possibly none. Signatures
 * of other keys are ignored.
 * @throws Rejection if the note is malformed or the signature of a known key does not verify;
 *   Unchecked if this program has no Ed25519.
 */
export const signersOf = async <Key extends LogKey>(
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
      throw new Rejection(`the signature of ${name}+${keyId} does not hold`);
    signers.push(key);
  }
  return { text, signers };
};
