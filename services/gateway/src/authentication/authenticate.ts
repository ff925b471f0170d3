import { type Environment, hashText, readApiKey } from '@pto/access';
import { Failure } from '@pto/errors';
import type { Credentials } from './credentials.ts';

/**
 * Returns the key of an `Authorization: Bearer` header (RFC 6750; the scheme in any case).
 *
 * A header with another scheme, or with a key and no scheme, is INVALID_API_KEY: codes are stable,
 * messages may change (contract 7). MISSING_API_KEY is a request without the header or with an
 * empty one. Messages never repeat the header's value.
 * @param headers all values of the header; more than one value is rejected.
 * @throws Failure MISSING_API_KEY, INVALID_API_KEY
 */
export const bearerOf = (headers: readonly string[]): string => {
  const [header = ''] = headers;
  const text = header.trim();
  if (text === '')
    throw new Failure('MISSING_API_KEY', `The request has no API key. ${whatToSend}`);
  if (headers.length > 1)
    throw invalidKey(`The request has more than one Authorization header. ${whatToSend}`);
  const [scheme = '', ...credentials] = text.split(/ +/);
  if (scheme.toLowerCase() !== 'bearer') throw invalidKey(`${schemeProblem(scheme)} ${whatToSend}`);
  const [key, ...more] = credentials;
  if (key === undefined)
    throw invalidKey(`The Authorization header has no key after \`Bearer\`. ${whatToSend}`);
  if (more.length > 0 || key.includes(','))
    throw invalidKey(`The Authorization header has more than one key. ${whatToSend}`);
  return key;
};

const whatToSend = 'Send your API key as `Authorization: Bearer <key>`.';

/** Describes the wrong scheme. Names only a known scheme: any other text may be the key. */
const schemeProblem = (scheme: string): string => {
  const known = ['Basic', 'Digest', 'Negotiate', 'DPoP', 'Token', 'ApiKey'];
  const name = known.find((one) => one.toLowerCase() === scheme.toLowerCase());
  return name
    ? `The Authorization header uses the scheme ${name}, which is not supported.`
    : 'The Authorization header does not begin with the scheme `Bearer`.';
};

export const invalidKey = (problem = 'This API key is not known.'): Failure =>
  new Failure('INVALID_API_KEY', problem);

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
