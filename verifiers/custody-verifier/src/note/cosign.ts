/**
 * Cosigns checkpoints, for a witness. Runs on Node only, so the package's index does not export it.
 */
import { sign } from 'node:crypto';
import { concat, hashBytes, toBase64 } from '../bytes.ts';
import { cosignedText } from './cosignature.ts';
import { type NoteKey, publicBytes } from './sign-note.ts';
import { cosignatureAlgorithm, keyId, vkeyOf } from './vkey.ts';

/**
 * Returns the signature line, with its newline, that a witness adds to a checkpoint
 * (`cosignature/v1`).
 * @param text the signed text of the checkpoint, including its last newline.
 * @param time seconds since the epoch, at least 1.
 * @throws TypeError for a text, a time or a key that cannot make a cosignature.
 */
export const cosign = (text: string, time: number, key: NoteKey): string => {
  if (!text.endsWith('\n') || !text.isWellFormed()) throw new TypeError('not the text of a note');
  if (!Number.isSafeInteger(time) || time < 1) throw new TypeError('not a time in seconds');
  const id = hashBytes(keyId(key.name, publicBytes(key), cosignatureAlgorithm));
  const seconds = new Uint8Array(8);
  new DataView(seconds.buffer).setBigUint64(0, BigInt(time));
  const signature = sign(null, cosignedText(time, text), key.privateKey);
  return `\u2014 ${key.name} ${toBase64(concat(id, seconds, signature))}\n`;
};

/** Returns the vkey that verifies the cosignatures of this key. */
export const vkeyOfWitness = (key: NoteKey): string =>
  vkeyOf(key.name, publicBytes(key), cosignatureAlgorithm);
