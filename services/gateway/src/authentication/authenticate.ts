import { type Environment, hashText, readApiKey } from '@pto/access';
import { Failure } from '@pto/errors';
import { invalidKey } from './bearer.ts';
import type { Credentials } from './credentials.ts';

/**
 * Verifies that a key is valid for this environment and time (contract 5, decisions 16 and 17).
 * @throws Failure INVALID_API_KEY, API_KEY_WRONG_ENVIRONMENT, API_KEY_REVOKED or API_KEY_EXPIRED.
 */
export const authenticate = async (
  key: string,
  environment: Environment,
  find: (name: string) => Promise<Credentials | null>,
): Promise<Credentials> => {
  const of = readApiKey(key);
  if (of === null) throw invalidKey();
  if (of !== environment)
    throw new Failure(
      'API_KEY_WRONG_ENVIRONMENT',
      `This key belongs to the ${of} environment; this is the ${environment} environment.`,
    );
  return requireValid(await find(hashText(key)));
};

/**
 * Returns the credentials of a known key that is neither revoked nor expired (decision 17).
 * @throws Failure INVALID_API_KEY, API_KEY_REVOKED or API_KEY_EXPIRED.
 */
export const requireValid = (credentials: Credentials | null): Credentials => {
  if (!credentials) throw invalidKey();
  if (credentials.revoked) throw new Failure('API_KEY_REVOKED', 'This API key was revoked.');
  if (credentials.expiresAt <= Date.now())
    throw new Failure('API_KEY_EXPIRED', 'This API key has expired.');
  return credentials;
};

/**
 * Requires an enabled organization, and the route's scope if it has one (decision 18).
 * @throws Failure ORGANIZATION_NOT_ENABLED, INSUFFICIENT_SCOPE
 */
export const authorize = (
  { organization, scopes }: Credentials,
  scope: Credentials['scopes'] extends ReadonlySet<infer S> ? S | null : never,
): void => {
  if (!organization.enabled)
    throw new Failure(
      'ORGANIZATION_NOT_ENABLED',
      'API access is not enabled for your organization.',
    );
  if (scope !== null && !scopes.has(scope))
    throw new Failure('INSUFFICIENT_SCOPE', `This key does not have the scope ${scope}.`, {
      details: { required_scope: scope },
    });
};
