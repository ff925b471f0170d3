import { Failure } from '@pto/errors';
import { type RequestHandler, Router } from 'express';
import { noSuchPath } from '../http/exact-path.ts';
import type { KeyBudgets } from '../http/key-budgets.ts';
import { nothing } from '../http/sending/partner-response.ts';
import type { Responder } from '../http/sending/responder.ts';
import type { Route } from './route.ts';
import { serveRoute } from './serve-route.ts';

/**
 * Returns an Express router for the table: exact paths only, HEAD for each GET. OPTIONS responds
 * with the methods of the path, and every other method is a 405 (decision 15).
 */
export const routerOf = (
  table: readonly Route[],
  basePath: string,
  budgets: KeyBudgets,
  responder: Responder,
): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  const rowsOf = Map.groupBy(table, (row) => row.path);
  for (const [path, rows] of rowsOf) {
    const allow = allowed(rows);
    const matched: RequestHandler = (_, response, next) => {
      response.locals.exchange.route = path;
      next();
    };
    const at = router.route(`${basePath}${path}`).all(matched);
    for (const row of rows) at[verbs[row.method]](serveRoute(row, budgets, responder));
    const options: RequestHandler = async (request, response) => {
      await budgets.spendRejected(response, response.locals.exchange.credentials!);
      await responder.respond(request, response, 204, { ...nothing, headers: { Allow: allow } });
    };
    at.options(options);
    at.all(() => {
      throw new Failure('METHOD_NOT_ALLOWED', `This path supports only ${allow}.`, {
        details: { allow },
      });
    });
  }
  router.use(() => {
    throw noSuchPath();
  });
  return router;
};

const verbs = { GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const;

const allowed = (rows: readonly Route[]): string =>
  [
    ...rows.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
    'OPTIONS',
  ].join(', ');
