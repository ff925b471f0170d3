import { Failure, kinds } from '@pto/errors';
import type { Request, RequestHandler } from 'express';
import type { Environment } from '../access/api-key.ts';
import { authenticate } from '../authentication/authenticate.ts';
import { bearerOf } from '../authentication/bearer.ts';
import type { Credentials } from '../authentication/credentials.ts';
import { type Budgets, rateLimited } from '../limits/budget.ts';

/**
 * The first check of all: nobody learns anything without a good key, not even which paths there
 * are. Failures count against the client's address; a good key passes from there all the same.
 * @throws Failure one of the five 401 kinds, RATE_LIMITED
 */
export const requireKey = (deps: {
  environment: Environment;
  find(hash: Buffer): Promise<Credentials | null>;
  used(keyId: string): void;
  addressOf(request: Request): string;
  budgets: Budgets;
  failedPerMinute: number;
}): RequestHandler => {
  const refuse = async (request: Request, thrown: unknown): Promise<never> => {
    if (!(thrown instanceof Failure) || kinds[thrown.kind].http !== 401) throw thrown;
    const name = `failed:${deps.environment}:${deps.addressOf(request)}`;
    const left = await deps.budgets.spend(name, deps.failedPerMinute);
    throw left.allowed ? thrown : rateLimited(left);
  };
  return async (request, response, next) => {
    try {
      const key = bearerOf(request.headersDistinct.authorization ?? []);
      const credentials = await authenticate(key, deps.environment, deps.find);
      response.locals.exchange.credentials = credentials;
      deps.used(credentials.keyId);
    } catch (thrown) {
      await refuse(request, thrown);
    }
    next();
  };
};
