import { Failure } from '@pto/errors';
import type { RequestHandler } from 'express';
import { nothing } from '../http/sending/partner-response.ts';
import type { FindPath } from './paths.ts';
import { type ServedBy, serveRoute } from './serve-route.ts';

/**
 * Returns the handler of the table's paths: HEAD for each GET. OPTIONS responds with the methods of
 * the path, and every other method is a 405 (decision 15).
 * @throws Failure NOT_FOUND, METHOD_NOT_ALLOWED
 */
export const routerOf =
  (find: FindPath, by: ServedBy): RequestHandler =>
  async (request, response) => {
    const found = find(request.url);
    if (!found)
      throw new Failure('NOT_FOUND', 'There is nothing at this path.', {
        details: { resource: 'path' },
      });
    const { exchange } = response.locals;
    const { path, allow } = found;
    exchange.route = path;
    const row = found.rowOf(request.method);
    if (row) {
      exchange.isMethodSupported = true;
      exchange.work = serveRoute(row, found, { ...by, request, response });
      await exchange.work;
      return;
    }
    if (request.method !== 'OPTIONS')
      throw new Failure('METHOD_NOT_ALLOWED', `This path supports only ${allow}.`, {
        details: { allow },
      });
    await by.budgets.spendRejected(response, exchange.credentials!);
    await by.responder.respond(request, response, 204, { ...nothing, headers: { Allow: allow } });
  };
