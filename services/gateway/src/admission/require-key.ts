import {
  type Client,
  clientAddress,
  type Environment,
  hashText,
  isClientIn,
  readApiKey,
  type Scope,
} from '@pto/access';
import { Failure, kinds } from '@pto/errors';
import type { Request, RequestHandler } from 'express';
import { type Budgets, rateLimited } from './budgets.ts';
import type { Credentials, KeyLookup } from './key-lookup.ts';

/**
 * Requires a valid key before any other check, so that a client without a key cannot learn which
 * paths exist. Failures count against the client's address; a valid key passes from a throttled
 * address as well. Unknown keys from a throttled address cost the database a bounded rate of
 * statements (KeyLookup). A valid key from an address outside of the key's CIDRs is a failure, too:
 * the request takes nothing from the key's budgets and no slot, and is not recorded as the key's
 * last use (decision 60).
 * @throws Failure one of the five 401 kinds, CLIENT_ADDRESS_NOT_ALLOWED, RATE_LIMITED
 */
export const requireKey = (deps: {
  environment: Environment;
  find: KeyLookup['find'];
  used(keyId: string): void;
  clientOf(request: Request): Client;
  budgets: Budgets;
  failedPerMinute: number;
}): RequestHandler => {
  const { environment, budgets, failedPerMinute } = deps;
  return async (request, response, next) => {
    const { context } = response.locals;
    const client = deps.clientOf(request);
    const budget = () => `failed:${environment}:${clientAddress(...client)}`;
    const isThrottled = async () => (await budgets.look(budget(), failedPerMinute)).remaining === 0;
    try {
      const key = bearerOf(request.headersDistinct.authorization ?? []);
      const find = (name: string) => deps.find(name, isThrottled);
      context.checkKey = async () => {
        const credentials = await authenticate(key, environment, find);
        const { allowedFrom } = credentials;
        if (allowedFrom !== null && !isClientIn(allowedFrom, ...client)) {
          context.deniedKey = credentials;
          throw new Failure(
            'CLIENT_ADDRESS_NOT_ALLOWED',
            'This API key may not be used from your address.',
          );
        }
        context.credentials = credentials;
      };
      await context.checkKey();
      deps.used(context.credentials!.keyId);
    } catch (thrown) {
      if (!(thrown instanceof Failure) || kinds[thrown.kind].http >= 500) throw thrown;
      const left = await budgets.spend(budget(), failedPerMinute);
      throw left.allowed ? thrown : rateLimited(left);
    }
    next();
  };
};

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

const invalidKey = (problem = 'This API key is not known.'): Failure =>
  new Failure('INVALID_API_KEY', problem);

/**
 * Returns the credentials of a key that is valid for this environment and time (contract 5,
 * decisions 16 and 17).
 * @throws Failure INVALID_API_KEY, API_KEY_WRONG_ENVIRONMENT, API_KEY_REVOKED or API_KEY_EXPIRED.
 */
const authenticate = async (
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
  const credentials = await find(hashText(key));
  if (!credentials) throw invalidKey();
  if (credentials.revoked) throw new Failure('API_KEY_REVOKED', 'This API key was revoked.');
  if (credentials.expiresAt <= Date.now())
    throw new Failure('API_KEY_EXPIRED', 'This API key has expired.');
  return credentials;
};

/** What `authorize` reads of an operation's row. */
interface Operation {
  readonly method: string;
  readonly scope: Scope | null;
  readonly keysOnly?: true;
  readonly linksOnly?: true;
}

/**
 * Requires an enabled organization, the operation's scope if it has one (decision 18), and for a
 * session of the portal what its link permits (decision 69). A link for one order permits its own
 * operations and no other, and nothing else permits these (decision 86).
 * @param path parameters of the request's path.
 * @throws Failure ORGANIZATION_NOT_ENABLED, INSUFFICIENT_SCOPE
 */
export const authorize = (
  { organization, scopes, link, isSession, readOnly, endpointId }: Credentials,
  { method, scope, keysOnly, linksOnly }: Operation,
  path: Readonly<Record<string, string>>,
): void => {
  const insufficient = (message: string) =>
    new Failure('INSUFFICIENT_SCOPE', message, { details: { required_scope: scope } });
  if (!organization.enabled)
    throw new Failure(
      'ORGANIZATION_NOT_ENABLED',
      'API access is not enabled for your organization.',
    );
  if (link !== null && !linksOnly) throw insufficient('This link shows one order only.');
  if (linksOnly) {
    if (link === null) throw insufficient('This operation is for a link for one order.');
    return;
  }
  if (scope !== null && !scopes.has(scope))
    throw insufficient(`This key does not have the scope ${scope}.`);
  if (isSession && keysOnly) throw insufficient('A session of the portal may not do this.');
  if (readOnly && method !== 'GET') throw insufficient('This link permits reading only.');
  if (endpointId !== null && scope !== null && path.endpoint_id !== endpointId)
    throw insufficient('This link permits one endpoint of webhooks only.');
};
