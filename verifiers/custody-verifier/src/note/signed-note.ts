/** Signed notes (C2SP signed-note): a text, an empty line, and one line for each signature. */
import { fromBase64 } from '../bytes/base64.ts';
import { concat } from '../bytes/concat.ts';
import { toHex } from '../bytes/hex.ts';
import { Rejection } from '../rejection.ts';
import { isKeyName } from './vkey.ts';

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
