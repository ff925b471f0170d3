import { join } from 'node:path';
import { Client, type ClientOptions, NotSentError, version } from '../../typescript/src/index.ts';
import { Failed, WrongUsage } from './failure.ts';
import { type Keyring, NoKeyring } from './keyring.ts';
import { configFolder, readPrivate, removeFile, writePrivate } from './private-file.ts';

/** A key, and the API that it is for. It is sent to no other server. */
export interface Credential {
  readonly baseUrl: string;
  readonly apiKey: string;
}

const noCredential = 'No API key: execute pto login, or set PTO_API_KEY and PTO_BASE_URL.';

export const credentialPath = (environment: NodeJS.ProcessEnv): string =>
  join(configFolder(environment), 'credentials.json');

/**
 * Returns the credential of PTO_API_KEY and PTO_BASE_URL, else the stored one.
 * @throws WrongUsage if there is none, if PTO_BASE_URL is another server than that of the key, or if
 *   the keyring cannot be read.
 */
export const credentialOf = (environment: NodeJS.ProcessEnv, keyring: Keyring): Credential => {
  const { PTO_API_KEY: apiKey, PTO_BASE_URL: baseUrl } = environment;
  if (apiKey) {
    if (!baseUrl) throw new WrongUsage('PTO_API_KEY is set and PTO_BASE_URL is not: set both.');
    return { baseUrl, apiKey };
  }
  const stored = storedOf(credentialPath(environment), keyring);
  if (typeof stored?.apiKey !== 'string' || typeof stored.baseUrl !== 'string')
    throw new WrongUsage(noCredential);
  if (baseUrl && baseUrl !== stored.baseUrl)
    throw new WrongUsage(
      `The stored key is for ${stored.baseUrl}, and PTO_BASE_URL is ${baseUrl}: execute pto login, or set PTO_API_KEY.`,
    );
  return { baseUrl: stored.baseUrl, apiKey: stored.apiKey };
};

/** What the file has: the credential, or that the keyring has it. */
interface Stored extends Partial<Credential> {
  readonly keyring?: boolean;
}

/** Returns what is stored. The entry in the keyring is named after the file. @throws WrongUsage */
const storedOf = (path: string, keyring: Keyring): Partial<Credential> | null | undefined => {
  const stored = readPrivate(path) as Stored | undefined;
  if (!stored?.keyring) return stored;
  try {
    // one entry has the key and its API: who changes the file cannot send the key elsewhere
    return JSON.parse(keyring.read(path) ?? 'null');
  } catch (error) {
    if (!(error instanceof NoKeyring)) throw error;
    throw new WrongUsage(
      `The stored key cannot be read, because ${error.message}: execute pto login again, or set PTO_API_KEY and PTO_BASE_URL.`,
    );
  }
};

/**
 * Stores a credential in the keyring, else in a file that its owner alone reads.
 * @returns where, and why not in the keyring.
 * @throws WrongUsage if the file cannot be written.
 */
export const storeCredential = (
  environment: NodeJS.ProcessEnv,
  keyring: Keyring,
  credential: Credential,
): { place: string; reason: string | null } => {
  const path = credentialPath(environment);
  try {
    const text = JSON.stringify(credential);
    keyring.write(path, text);
    if (keyring.read(path) !== text) throw new NoKeyring('the keyring did not keep the key');
    writePrivate(path, { keyring: true });
    return { place: 'the keyring of this system', reason: null };
  } catch (error) {
    if (!(error instanceof NoKeyring)) throw error;
    writePrivate(path, credential);
    return { place: path, reason: error.message };
  }
};

/**
 * Removes the stored credential. Returns whether there was one.
 * @throws Failed if the keyring has it and cannot be used.
 */
export const removeCredential = (environment: NodeJS.ProcessEnv, keyring: Keyring): boolean => {
  const path = credentialPath(environment);
  try {
    if ((readPrivate(path) as Stored | undefined)?.keyring) keyring.remove(path);
  } catch (error) {
    if (error instanceof NoKeyring)
      throw new Failed(`The stored key was not removed, because ${error.message}.`);
    if (!(error instanceof WrongUsage)) throw error; // an unreadable file is removed
  }
  return removeFile(path);
};

/** Returns the options of a client with this credential. */
export const clientOptions = (credential: Credential): ClientOptions => ({
  ...credential,
  userAgent: `pto/${version}`,
});

/** Returns a client. @throws WrongUsage for a base URL or a key to which nothing is sent. */
export const openClient = (credential: Credential): Client => {
  try {
    return new Client(clientOptions(credential));
  } catch (error) {
    if (error instanceof NotSentError) throw new WrongUsage(`${error.message}.`);
    throw error;
  }
};
