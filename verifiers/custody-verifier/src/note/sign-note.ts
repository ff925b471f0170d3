/**
 * Signs notes, for the service that runs the log, and cosigns checkpoints, for a witness. Runs on
 * Node only, so the package's index does not export it.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { concat, hashBytes, toBase64 } from '../bytes.ts';
import { cosignedText } from './signed-note.ts';
import { cosignatureAlgorithm, isKeyName, keyId, vkeyOf } from './vkey.ts';

export interface NoteKey {
  /** Name of the key; for a log's key, the log's origin. */
  readonly name: string;
  readonly privateKey: KeyObject;
}

/** Returns the key of an Ed25519 seed. @param seed 32 bytes, secret. */
export const noteKeyOfSeed = (name: string, seed: Uint8Array): NoteKey => {
  const key = Buffer.concat([pkcs8Prefix, seed]);
  return { name, privateKey: createPrivateKey({ key, format: 'der', type: 'pkcs8' }) };
};

/**
 * Returns the text and its signature as a signed note.
 * @throws TypeError if the text does not end with a newline or is not well-formed Unicode, if the
 *   key's name is not valid, or if the key is not Ed25519.
 */
export const signNote = (text: string, { name, privateKey }: NoteKey): string => {
  if (!text.endsWith('\n') || !text.isWellFormed()) throw new TypeError('not the text of a note');
  const id = hashBytes(keyId(name, publicBytes({ name, privateKey })));
  const signature = sign(null, new TextEncoder().encode(text), privateKey);
  return `${text}\n\u2014 ${name} ${toBase64(concat(id, signature))}\n`;
};

/** Returns the vkey that verifies this key's signatures. */
export const vkeyOfSigner = (key: NoteKey): string => vkeyOf(key.name, publicBytes(key));

/**
 * Returns the 32 bytes of an Ed25519 public key.
 * @throws TypeError for a name or a key that cannot sign notes.
 */
export const publicBytes = ({ name, privateKey }: NoteKey): Uint8Array => {
  if (!isKeyName(name)) throw new TypeError('not the name of a key');
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new TypeError('not an Ed25519 key');
  const der = new Uint8Array(createPublicKey(privateKey).export({ format: 'der', type: 'spki' }));
  return der.subarray(-32); // SPKI ends with the key's 32 bytes (RFC 8410)
};

/** The encoding before the 32 bytes of every Ed25519 seed in PKCS #8 (RFC 8410). */
const pkcs8Prefix = hashBytes('302e020100300506032b657004220420');

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
