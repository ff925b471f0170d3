import { readFileSync } from 'node:fs';
import { ConfigError } from '@pto/config';
import { type NoteKey, noteKeyOfSeed } from '@pto/custody-verifier/sign-note';

/**
 * Reads the witness's key from the environment or from a file.
 * @throws ConfigError if not exactly one of both is given, the file cannot be read, or the seed
 *   does not have 32 bytes. The error does not contain the seed.
 */
export const readKey = ({
  name,
  key,
  keyFile,
}: {
  name: string;
  key: string;
  keyFile: string;
}): NoteKey => {
  if ((key !== '') === (keyFile !== ''))
    throw new ConfigError(['WITNESS_KEY or WITNESS_KEY_FILE: give one of the two']);
  const seed = Buffer.from(key || readFile(keyFile), 'base64');
  if (seed.length !== 32)
    throw new ConfigError(['WITNESS_KEY or WITNESS_KEY_FILE: expected 32 bytes in base64']);
  return noteKeyOfSeed(name, seed);
};

const readFile = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new ConfigError([`WITNESS_KEY_FILE: ${(error as NodeJS.ErrnoException).code}`]);
  }
};
