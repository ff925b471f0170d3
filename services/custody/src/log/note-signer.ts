import { readFileSync } from 'node:fs';
import { ConfigError } from '@pto/config';
import {
  type Checkpoint,
  type CheckpointLines,
  parseCheckpoint,
  parseNote,
  parseVkey,
  readCheckpointLines,
  signersOf as signersOfKeys,
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
  // one key at a time: an invalid signature of one key must not hide the signature of another
  const signed = await Promise.all(
    vkeys.map((vkey) =>
      signersOfKeys(note, [parseVkey(vkey)]).then(
        ({ signers }) => signers.length > 0,
        () => false,
      ),
    ),
  );
  return vkeys.filter((_, n) => signed[n]);
};

/**
 * Parses a signing key's seed, or a public key: 32 bytes in base64.
 * @throws Error that does not show the text.
 */
export const parseKey = (text: string): Buffer => {
  const seed = Buffer.from(text.trim(), 'base64');
  if (seed.length !== 32) throw new Error('expected 32 bytes in base64');
  return seed;
};

/**
 * Opens the log's signer with keys from the environment, or from a file with one key per line.
 * @throws ConfigError if neither or both are given, or if a line of the file is not a valid key.
 */
export const openSigner = (settings: {
  logOrigin: string;
  signingKeys: readonly Buffer[];
  signingKeysFile: string;
}): NoteSigner => {
  const { logOrigin, signingKeys, signingKeysFile: path } = settings;
  if (signingKeys.length > 0 === (path !== ''))
    throw new ConfigError([
      'CUSTODY_SIGNING_KEYS or CUSTODY_SIGNING_KEYS_FILE: give one of the two',
    ]);
  return noteSigner(logOrigin, path === '' ? signingKeys : readSeeds(path));
};

const readSeeds = (path: string): Buffer[] => {
  try {
    return readFileSync(path, 'utf8').trim().split('\n').map(parseKey);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigError([`CUSTODY_SIGNING_KEYS_FILE: ${code ?? message}`]);
  }
};
