/**
 * Cosignatures of checkpoints by witnesses (C2SP tlog-cosignature, `cosignature/v1`). A signature
 * line contains 4 bytes of key id, 8 bytes of time (seconds since the epoch, big-endian) and 64
 * bytes of Ed25519 over {@link cosignedText}. A cosignature never counts as the log's own
 * signature: the key has another algorithm byte, and the signed bytes begin with another line.
 */
import { Rejection } from '../rejection.ts';
import { isSignedBy, type NoteSignature, parseNote } from './signed-note.ts';
import type { WitnessKey } from './vkey.ts';

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
