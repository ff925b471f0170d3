/** The request `POST /add-checkpoint` (C2SP tlog-witness). */
import { type Checkpoint, parseCheckpoint, parseNote } from '@pto/custody-verifier';

export interface AddCheckpoint {
  /** The size of the log at which the consistency proof starts. */
  readonly old: number;
  /** Hashes of the consistency proof, 32 bytes each. */
  readonly proof: readonly Uint8Array[];
  /** The signed note as it was sent. */
  readonly note: string;
  /** The signed text of the note. */
  readonly text: string;
  readonly checkpoint: Checkpoint;
}

/** Parses the body of a request. @returns null if the body is malformed. */
export const parseRequest = (body: Uint8Array): AddCheckpoint | null => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    const end = text.indexOf('\n\n');
    const [first, ...lines] = text.slice(0, end).split('\n');
    const [, old] = /^old (0|[1-9]\d{0,15})$/.exec(first!) ?? [];
    if (end < 0 || old === undefined || !Number.isSafeInteger(Number(old))) return null;
    if (lines.length > proofMax || !lines.every(isHash)) return null;
    const note = text.slice(end + 2);
    const signed = parseNote(note);
    return {
      old: Number(old),
      proof: lines.map((line) => Buffer.from(line, 'base64')),
      note,
      text: signed.text,
      checkpoint: parseCheckpoint(signed.text),
    };
  } catch {
    return null; // not UTF-8, not a note or not a checkpoint
  }
};

const proofMax = 63;

/** Whether a line is 32 bytes in canonical base64. */
const isHash = (line: string): boolean =>
  /^[A-Za-z0-9+/]{43}=$/.test(line) && Buffer.from(line, 'base64').toString('base64') === line;
