import { isCheckedSecret, newCheckedSecret } from './checked-secret.ts';

export type Environment = 'production' | 'sandbox';

/** API keys are checked secrets whose prefix names the environment (decision 16). */
const prefixes = { production: 'svc_live_', sandbox: 'svc_test_' } as const;
const environments = ['production', 'sandbox'] as const;

export const newApiKey = (environment: Environment): string =>
  newCheckedSecret(prefixes[environment]);

/**
 * Returns the environment of a well-formed key, also of an unknown one; null for any other text.
 */
export const readApiKey = (text: string): Environment | null =>
  environments.find((environment) => isCheckedSecret(prefixes[environment], text)) ?? null;

/** The scopes of API keys (contract 5.6). */
export const scopes = ['orders:read', 'orders:write', 'webhooks:manage'] as const;

export type Scope = (typeof scopes)[number];

export const isScope = (text: string): text is Scope =>
  (scopes as readonly string[]).includes(text);
