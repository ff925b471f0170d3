/** The form of an API key (decision 16): a checked secret whose prefix names the environment. */
import { hashSecret, hashText, isCheckedSecret, newCheckedSecret } from './checked-secret.ts';

export type Environment = 'production' | 'sandbox';

const prefixes: Readonly<Record<Environment, string>> = {
  production: 'svc_live_',
  sandbox: 'svc_test_',
};
const environments = ['production', 'sandbox'] as const;

export const newApiKey = (environment: Environment): string =>
  newCheckedSecret(prefixes[environment]);

/**
 * Returns the environment of a well-formed key, also of an unknown one; null for any other text.
 */
export const readApiKey = (text: string): Environment | null =>
  environments.find((environment) => isCheckedSecret(prefixes[environment], text)) ?? null;

/** Returns the stored form of a key: its SHA-256, 32 bytes. */
export const hashApiKey = hashSecret;

/** Returns the name of a key in the gateway's memory: its SHA-256 in base64. */
export const apiKeyName = hashText;
