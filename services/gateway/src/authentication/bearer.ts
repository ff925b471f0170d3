import { Failure } from '@pto/errors';

/**
 * Returns the key of an `Authorization: Bearer` header (RFC 6750; the scheme in any case).
 *
 * A request with another scheme, or with a key and no scheme, has no bearer credentials: that is
 * MISSING_API_KEY. INVALID_API_KEY would send its sender to compare a key that is good. Messages
 * never repeat what was sent.
 * @param headers every value that came; two headers are as bad as none.
 * @throws Failure MISSING_API_KEY, INVALID_API_KEY
 */
export const bearerOf = (headers: readonly string[]): string => {
  const [header = ''] = headers;
  if (headers.length > 1)
    throw invalidKey('The request has more than one Authorization header. Send exactly one.');
  const text = header.trim();
  if (text === '') throw missingKey('The request has no API key.');
  const [scheme = '', ...credentials] = text.split(/ +/);
  if (scheme.toLowerCase() !== 'bearer') throw missingKey(schemeProblem(scheme));
  const [key, ...more] = credentials;
  if (key === undefined) throw missingKey('The Authorization header has no key after `Bearer`.');
  if (more.length > 0 || key.includes(','))
    throw invalidKey('The Authorization header has more than one key after `Bearer`.');
  return key;
};

/** Names the scheme only if it is a registered one: anything else may be the key itself. */
const schemeProblem = (scheme: string): string => {
  const known = ['Basic', 'Digest', 'Negotiate', 'DPoP', 'Token', 'ApiKey'];
  const name = known.find((one) => one.toLowerCase() === scheme.toLowerCase());
  return name
    ? `The Authorization header uses the scheme ${name}, which is not supported.`
    : 'The Authorization header does not begin with the scheme `Bearer`.';
};

const missingKey = (problem: string): Failure =>
  new Failure(
    'MISSING_API_KEY',
    `${problem} Send your API key as \`Authorization: Bearer <key>\`.`,
  );

export const invalidKey = (problem = 'This API key is not known.'): Failure =>
  new Failure('INVALID_API_KEY', problem);
