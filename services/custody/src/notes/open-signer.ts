import { readFileSync } from 'node:fs';
import { ConfigError } from '@pto/config';
import { type NoteSigner, noteSigner } from './note-signer.ts';

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
