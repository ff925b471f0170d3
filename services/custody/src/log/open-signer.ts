import { readFileSync } from 'node:fs';
import { ConfigError } from '@pto/config';
import { type NoteSigner, noteSigner } from './signed-note.ts';

const seedBytes = 32;

/**
 * The log's signer, from the environment or from a file.
 * @throws ConfigError where neither is given or both are, or the file holds no key; it never shows it.
 */
export const openSigner = (settings: {
  logOrigin: string;
  signingKey: Buffer;
  signingKeyFile: string;
}): NoteSigner => {
  const { logOrigin, signingKey, signingKeyFile } = settings;
  if (signingKey.length > 0 === (signingKeyFile !== ''))
    throw new ConfigError(['CUSTODY_SIGNING_KEY or CUSTODY_SIGNING_KEY_FILE: give one of the two']);
  const seed = signingKeyFile === '' ? signingKey : readSeed(signingKeyFile);
  return noteSigner(logOrigin, seed);
};

const readSeed = (path: string): Buffer => {
  const refuse = (reason: string) => new ConfigError([`CUSTODY_SIGNING_KEY_FILE: ${reason}`]);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw refuse(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const seed = Buffer.from(text.trim(), 'base64');
  if (seed.length !== seedBytes) throw refuse('expected 32 bytes in base64');
  return seed;
};
