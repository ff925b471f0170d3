/** Signing notes, for the service that keeps the log. Node only: not part of the package's index. */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { toBase64 } from '../bytes/base64.ts';
import { concat, sameBytes } from '../bytes/concat.ts';
import { hashBytes } from '../bytes/hex.ts';
import { isKeyName, keyId, vkeyOf } from './vkey.ts';

export interface NoteKey {
  /** For a log's key: the log's origin. */
  readonly name: string;
  readonly privateKey: KeyObject;
}

/**
 * The key of an Ed25519 seed.
 * @param seed 32 bytes, secret.
 */
export const noteKeyOfSeed = (name: string, seed: Uint8Array): NoteKey => {
  const key = Buffer.concat([pkcs8Prefix, seed]);
  return { name, privateKey: createPrivateKey({ key, format: 'der', type: 'pkcs8' }) };
};

/**
 * The text and its signature, as a signed note.
 * @param text ends with a newline.
 * @throws TypeError for a text, a name or a key that cannot make a note.
 */
export const signNote = (text: string, { name, privateKey }: NoteKey): string => {
  if (!text.endsWith('\n') || !text.isWellFormed()) throw new TypeError('not the text of a note');
  const id = hashBytes(keyId(name, publicBytes({ name, privateKey })));
  const signature = sign(null, new TextEncoder().encode(text), privateKey);
  return `${text}\n\u2014 ${name} ${toBase64(concat(id, signature))}\n`;
};

/** The vkey that checks what this key signs. */
export const vkeyOfSigner = (key: NoteKey): string => vkeyOf(key.name, publicBytes(key));

/**
 * The 32 bytes of an Ed25519 public key.
 * @throws TypeError for a name or a key that cannot sign notes.
 */
export const publicBytes = ({ name, privateKey }: NoteKey): Uint8Array => {
  if (!isKeyName(name)) throw new TypeError('not the name of a key');
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new TypeError('not an Ed25519 key');
  const der = new Uint8Array(createPublicKey(privateKey).export({ format: 'der', type: 'spki' }));
  if (!sameBytes(der.subarray(0, spkiPrefix.length), spkiPrefix))
    throw new TypeError('not an Ed25519 key');
  return der.subarray(spkiPrefix.length);
};

/** RFC 8410: what stands before the 32 bytes of every Ed25519 public key. */
const spkiPrefix = hashBytes('302a300506032b6570032100');

/** RFC 8410: what stands before the 32 bytes of every Ed25519 seed in PKCS #8. */
const pkcs8Prefix = hashBytes('302e020100300506032b657004220420');
