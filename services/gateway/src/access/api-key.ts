/** The form of an API key (decision 16): a checked secret whose prefix names the environment. */
import { hashSecret, isCheckedSecret, newCheckedSecret } from './checked-secret.ts';

export type Environment = 'production' | 'sandbox';

const prefixes: Readonly<Record<Environment, string>> = {
  production: 'svc_live_',
  sandbox: 'svc_test_',
};
const environments = ['production', 'sandbox'] as const;

export const newApiKey = (environment: Environment): string =>
  newCheckedSecret(prefixes[environment]);

/** The environment that a well-formed key is for; null for anything else, without a look-up. */
export const readApiKey = (text: string): Environment | null =>
  environments.find((environment) => isCheckedSecret(prefixes[environment], text)) ?? null;

/** What is stored in place of a key: 32 bytes. */
export const hashApiKey = hashSecret;
