import {
  type Checkpoint,
  type CheckpointLines,
  parseCheckpoint,
  parseNote,
  parseVkey,
  readCheckpointLines,
  verifyNote,
} from '@pto/custody-verifier';
import { noteKeyOfSeed, signNote, vkeyOfSigner } from '@pto/custody-verifier/sign-note';

export interface NoteSigner {
  /** The verifier keys, the log's own first: `name+hhhhhhhh+base64`. */
  readonly vkeys: readonly string[];
  sign(text: string): string;
}

/**
 * Creates a signer of notes.
 * @param seeds secret seeds of 32 bytes. The first is the log's own key. During a key rotation a
 *   second key also signs, so that verifiers that trust the old key can start to trust the new key.
 */
export const noteSigner = (name: string, seeds: readonly Buffer[]): NoteSigner => {
  const keys = seeds.map((seed) => noteKeyOfSeed(name, seed));
  return {
    vkeys: keys.map(vkeyOfSigner),
    sign: (text) => {
      const lines = keys.map((key) => signNote(text, key).slice(text.length + 1));
      return `${text}\n${lines.join('')}`;
    },
  };
};

/**
 * Parses a note's checkpoint without verifying its signatures.
 * @throws Error for a text that is not a checkpoint.
 */
export const readCheckpoint = (note: string): Checkpoint => parseCheckpoint(parseNote(note).text);

/**
 * Parses a note's extension lines.
 * @throws Error for a text that is not a note, or for malformed lines.
 */
export const readLines = (note: string): CheckpointLines =>
  readCheckpointLines(parseNote(note).text);

/**
 * Returns those of the keys that have signed the note. A text that is not a note is signed by none.
 */
export const signersOf = async (note: string, vkeys: readonly string[]): Promise<string[]> => {
  const signers: string[] = [];
  for (const vkey of vkeys) {
    const signed = await verifyNote(note, [parseVkey(vkey)]).catch(() => null);
    if (signed) signers.push(vkey);
  }
  return signers;
};
