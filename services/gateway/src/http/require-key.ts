import type { Environment } from '@pto/access';
import { Failure, kinds } from '@pto/errors';
import type { Request, RequestHandler } from 'express';
import { authenticate, bearerOf } from '../authentication/authenticate.ts';
import type { Credentials } from '../authentication/credentials.ts';
import type { KeyLookup } from '../authentication/key-lookup.ts';
import { type Budgets, rateLimited } from '../limits/budget.ts';

/**
 * Requires a valid key before any other check, so that a client without a key cannot learn which
 * paths exist. Failures count against the client's address; a valid key passes from a throttled
 * address as well. Unknown keys from a throttled address cost the database a bounded rate of
 * statements (KeyLookup). A valid key from an address outside of the key's CIDRs is a failure, too:
 * the request takes nothing from the key's budgets and no slot, and is not recorded as the key's
 * last use (decision 60). `authorize`, called by routes/serve-route.ts, judges the organization and
 * scope.
 * @throws Failure one of the five 401 kinds, CLIENT_ADDRESS_NOT_ALLOWED, RATE_LIMITED
 */
export const requireKey = (deps: {
  environment: Environment;
  find: KeyLookup['find'];
  used(keyId: string): void;
  addressOf(request: Request): string;
  /** Returns whether the key may be used from the request's address (decision 60). */
  isAllowed(credentials: Credentials, request: Request): boolean;
  budgets: Budgets;
  failedPerMinute: number;
}): RequestHandler => {
  const { environment, budgets, failedPerMinute } = deps;
  const budgetOf = (request: Request) => `failed:${environment}:${deps.addressOf(request)}`;
  const reject = async (request: Request, thrown: unknown): Promise<never> => {
    if (!(thrown instanceof Failure) || !isFailedCredentials(thrown)) throw thrown;
    const left = await budgets.spend(budgetOf(request), failedPerMinute);
    throw left.allowed ? thrown : rateLimited(left);
  };
  return async (request, response, next) => {
    const isThrottled = async () =>
      (await budgets.look(budgetOf(request), failedPerMinute)).remaining === 0;
    try {
      const key = bearerOf(request.headersDistinct.authorization ?? []);
      const find = (name: string) => deps.find(name, isThrottled);
      const credentials = await authenticate(key, environment, find);
      if (!deps.isAllowed(credentials, request)) {
        response.locals.exchange.deniedKey = credentials;
        throw addressNotAllowed();
      }
      response.locals.exchange.credentials = credentials;
      deps.used(credentials.keyId);
    } catch (thrown) {
      await reject(request, thrown);
    }
    next();
  };
};

const addressNotAllowed = (): Failure =>
  new Failure('CLIENT_ADDRESS_NOT_ALLOWED', 'This API key may not be used from your address.');

const isFailedCredentials = ({ kind }: Failure): boolean =>
  kinds[kind].http === 401 || kind === 'CLIENT_ADDRESS_NOT_ALLOWED';
