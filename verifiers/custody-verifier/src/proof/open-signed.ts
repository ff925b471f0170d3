/**
 * Opens a signed checkpoint and determines which keys of the log signed it: keys that the caller
 * supplied, and keys that the file contains. witnesses.ts verifies the cosignatures of witnesses.
 */
import { type CheckpointLines, readCheckpointLines } from '../completeness/checkpoint-lines.ts';
import { type Checkpoint, parseCheckpoint } from '../note/checkpoint.ts';
import { Unchecked } from '../note/ed25519.ts';
import { parseNote } from '../note/signed-note.ts';
import { signersOf } from '../note/verify-note.ts';
import { Rejection } from '../rejection.ts';
import type { DatedKey } from './keys.ts';
import type { Signer } from './verdict.ts';

/** The keys with which signatures may be verified. */
export interface KnownKeys {
  /** Keys that the caller supplied. */
  readonly trusted: readonly DatedKey[];
  /** Keys that the file contains. */
  readonly brought: readonly DatedKey[];
}

export interface Opened {
  readonly checkpoint: Checkpoint;
  readonly lines: CheckpointLines;
  readonly signer: Signer;
  /** The keys of the log that verified a signature; empty if `signer` is `unchecked`. */
  readonly keys: readonly DatedKey[];
}

/**
 * Opens a checkpoint. Trusted keys are tried first; the file's keys only if no trusted key of this
 * log has signed. A key signs for the log only if its name is the log's origin. Without Ed25519 in
 * this program, `signer` is `unchecked`.
 * @throws Rejection if the note is malformed, the signature of a key that is tried does not verify,
 *   or no known key of the log has signed.
 */
export const openSigned = async (
  note: unknown,
  { trusted, brought }: KnownKeys,
): Promise<Opened> => {
  const { text } = parseNote(note);
  const checkpoint = parseCheckpoint(text);
  const lines = readCheckpointLines(text);
  try {
    const ofTrusted = await signersOf(note, trusted);
    const trustedKeys = ofLog(ofTrusted.signers, checkpoint);
    if (trustedKeys.length > 0) return { checkpoint, lines, signer: 'trusted', keys: trustedKeys };
    const ofBrought = await signersOf(note, brought);
    const keys = ofLog(ofBrought.signers, checkpoint);
    if (keys.length > 0) return { checkpoint, lines, signer: 'unknown', keys };
    const others = ofTrusted.signers.length + ofBrought.signers.length;
    throw new Rejection(
      others > 0
        ? `it is not signed by ${checkpoint.origin} itself`
        : 'it has no signature by a known key',
    );
  } catch (error) {
    if (error instanceof Unchecked) return { checkpoint, lines, signer: 'unchecked', keys: [] };
    throw error;
  }
};

const ofLog = (keys: readonly DatedKey[], { origin }: Checkpoint): DatedKey[] =>
  keys.filter(({ name }) => name === origin);
