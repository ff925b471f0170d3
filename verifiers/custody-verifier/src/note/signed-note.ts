/** Signed notes (C2SP signed-note): a text, an empty line, and one line for each signature. */
import { concat, fromBase64, toHex } from '../bytes.ts';
import { Rejection } from '../rejection.ts';
import { isSignedBy as isValid } from '../web-crypto.ts';
import { isKeyName, type LogKey, type VerifierKey, type WitnessKey } from './vkey.ts';

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

/**
 * Whether an Ed25519 signature is valid.
 * @throws Unchecked if this program has no Ed25519.
 */
export const isSignedBy = (
  { publicKey: bytes }: Pick<VerifierKey, 'publicKey'>,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> => isValid({ bytes, form: 'Ed25519', algorithm: 'Ed25519' }, signature, signed);

/**
 * Cosignatures of checkpoints by witnesses (C2SP tlog-cosignature, `cosignature/v1`). A signature
 * line contains 4 bytes of key id, 8 bytes of time (seconds since the epoch, big-endian) and 64
 * bytes of Ed25519 over {@link cosignedText}. A cosignature never counts as the log's own
 * signature: the key has another algorithm byte, and the signed bytes begin with another line.
 */
export interface Cosignature<Key extends WitnessKey = WitnessKey> {
  readonly witness: Key;
  /** Time of the cosignature in seconds since the epoch: the witness's own claim. */
  readonly time: number;
}

/** Returns the bytes that a witness signs for the text of a checkpoint. */
export const cosignedText = (time: number, text: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(`cosignature/v1\ntime ${time}\n${text}`);

/**
 * Returns the cosignatures of known witnesses on a checkpoint, the latest of each witness.
 * Signature lines of other keys are ignored.
 * @param note a signed note.
 * @throws Rejection if a cosignature of a known witness does not verify; Unchecked if this program
 *   has no Ed25519.
 */
export const cosignaturesOf = async <Key extends WitnessKey>(
  note: unknown,
  witnesses: readonly Key[],
): Promise<Cosignature<Key>[]> => {
  const { text, signatures } = parseNote(note);
  const latest = new Map<Key, number>();
  for (const line of signatures) {
    const witness = witnesses.find(({ name, id }) => name === line.name && id === line.keyId);
    if (!witness) continue;
    const time = await cosignedAt(witness, line, text);
    latest.set(witness, Math.max(time, latest.get(witness) ?? 0));
  }
  return [...latest].map(([witness, time]) => ({ witness, time }));
};

const cosignedAt = async (
  witness: WitnessKey,
  { signature }: NoteSignature,
  text: string,
): Promise<number> => {
  const wrong = `the cosignature of ${witness.name}+${witness.id} does not hold`;
  if (signature.length !== timeBytes + ed25519Bytes) throw new Rejection(wrong);
  const time = new DataView(signature.buffer, signature.byteOffset).getBigUint64(0);
  if (time < 1n || time > timeMax) throw new Rejection(wrong);
  const signed = cosignedText(Number(time), text);
  if (!(await isSignedBy(witness, signature.slice(timeBytes), signed))) throw new Rejection(wrong);
  return Number(time);
};

const timeBytes = 8;
const ed25519Bytes = 64;
/** The last second of the year 9999: later times have no ISO 8601 form of 24 characters. */
const timeMax = 253_402_300_799n;
