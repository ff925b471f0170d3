import { Failure } from '@pto/errors';

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
  if (headers.length === 1 && usual.test(header)) return header.slice('Bearer '.length);
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

/** A header that needs no closer look: visible ASCII without a comma after the scheme. */
const usual = /^Bearer [!-+\--~]+$/;

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
