/** Signed notes (C2SP signed-note): a text, an empty line, and one line for each signature. */
import { concat, fromBase64, toHex } from '../bytes.ts';
import { Rejection } from '../rejection.ts';
import { isKeyName, type LogKey, type VerifierKey } from './vkey.ts';

export interface SignedNote {
  /** The signed text, including its last newline. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

export interface NoteSignature {
  readonly name: string;
  /** The id of the key: 8 lower-case hexadecimal digits. */
  readonly keyId: string;
  readonly signature: Uint8Array<ArrayBuffer>;
}

/** Parses a signed note. @throws Rejection for a malformed note. */
export const parseNote = (note: unknown): SignedNote => {
  if (typeof note !== 'string') throw new Rejection('a signed note is a text');
  if (note.length > charactersMax) throw new Rejection(`longer than ${charactersMax} characters`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\0-\x09\x0b-\x1f]/.test(note) || !note.isWellFormed())
    throw new Rejection('a signed note has no control characters but newlines');
  const end = note.lastIndexOf('\n\n');
  if (end < 0) throw new Rejection('a signed note has an empty line before its signatures');
  const lines = note.slice(end + 2).split('\n');
  if (lines.pop() !== '' || lines.length === 0)
    throw new Rejection('the signatures of a note are whole lines, at least one');
  if (lines.length > signaturesMax) throw new Rejection(`more than ${signaturesMax} signatures`);
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignature) };
};

const charactersMax = 65_536;
const signaturesMax = 100;

/** Parses `— name base64(4 bytes of the key's id ‖ signature)`; the dash is an em dash. */
const parseSignature = (line: string): NoteSignature => {
  const [, name, encoded] = /^\u2014 ([^ ]+) ([^ ]+)$/.exec(line) ?? [];
  if (name === undefined || !isKeyName(name)) throw new Rejection('a signature line is malformed');
  const bytes = fromBase64(encoded);
  if (bytes.length < 5) throw new Rejection('a signature is too short');
  return { name, keyId: toHex(bytes.subarray(0, 4)), signature: concat(bytes.subarray(4)) };
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

/** Thrown if this program has no Ed25519. It is then unknown whether a signature is valid. */
export class Unchecked extends Rejection {
  constructor(why: string) {
    super(`this program cannot check signatures: ${why}`);
  }
}

/**
 * Whether an Ed25519 signature is valid, by Web Crypto, which Node and browsers have.
 * @throws Unchecked if this program has no Ed25519.
 */
export const isSignedBy = async (
  { publicKey }: Pick<VerifierKey, 'publicKey'>,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  // browsers offer crypto.subtle only to pages from HTTPS or from localhost; the types do not say
  // so
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
