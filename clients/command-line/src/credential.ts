import { join } from 'node:path';
import { Client, type ClientOptions, NotSentError, version } from '../../typescript/src/index.ts';
import { WrongUsage } from './failure.ts';
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
 * @throws WrongUsage if there is none, or if PTO_BASE_URL is another server than that of the key.
 */
export const credentialOf = (environment: NodeJS.ProcessEnv): Credential => {
  const { PTO_API_KEY: apiKey, PTO_BASE_URL: baseUrl } = environment;
  if (apiKey) {
    if (!baseUrl) throw new WrongUsage('PTO_API_KEY is set and PTO_BASE_URL is not: set both.');
    return { baseUrl, apiKey };
  }
  const stored = readPrivate(credentialPath(environment)) as Partial<Credential> | undefined;
  if (typeof stored?.apiKey !== 'string' || typeof stored.baseUrl !== 'string')
    throw new WrongUsage(noCredential);
  if (baseUrl && baseUrl !== stored.baseUrl)
    throw new WrongUsage(
      `The stored key is for ${stored.baseUrl}, and PTO_BASE_URL is ${baseUrl}: execute pto login, or set PTO_API_KEY.`,
    );
  return { baseUrl: stored.baseUrl, apiKey: stored.apiKey };
};

export const storeCredential = (environment: NodeJS.ProcessEnv, credential: Credential): string => {
  const path = credentialPath(environment);
  writePrivate(path, credential);
  return path;
};

export const removeCredential = (environment: NodeJS.ProcessEnv): boolean =>
  removeFile(credentialPath(environment));

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
