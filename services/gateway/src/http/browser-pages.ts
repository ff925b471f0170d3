import type { Request, RequestHandler } from 'express';
import { notFoundPage, notFoundPolicy } from '../docs/not-found-page.ts';
import { type Budgets, rateLimited } from '../limits/budget.ts';
import { nothing } from './answer.ts';
import type { Responder } from './responder.ts';

/** Relative locations: a proxy may add a prefix to all paths. */
const redirects: Readonly<Record<string, string>> = { '/': 'docs', '/docs/': '../docs' };

/**
 * Responds to browsers on paths that are neither public nor part of the API: a redirect to the
 * reference, or an HTML 404. A request counts as a browser's if it prefers HTML to JSON and has no
 * `Authorization`. All other requests continue to the check of the key.
 */
export const browserPages = (options: {
  responder: Responder;
  budgets: Budgets;
  perMinute: number;
  /** Paths below it are the API's. */
  basePath: string;
  addressOf(request: Request): string;
}): RequestHandler => {
  const { respond } = options.responder;
  const isApi = below(options.basePath);
  return async (request, response, next) => {
    const { path } = request;
    if (isApi(path) || !isBrowser(request)) {
      next();
      return;
    }
    response.locals.exchange.route = 'page';
    const left = await options.budgets.spend(
      `open:${options.addressOf(request)}`,
      options.perMinute,
    );
    if (!left.allowed) throw rateLimited(left);
    const location = redirects[path];
    if (location !== undefined) {
      await respond(request, response, 307, {
        ...nothing,
        headers: { Location: location, ...safe },
      });
      return;
    }
    const bytes = Buffer.from(notFoundPage(rootOf(path)));
    const headers = {
      ...safe,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': notFoundPolicy,
    };
    if (request.method === 'HEAD') {
      const length = { 'Content-Length': `${bytes.byteLength}` };
      await respond(request, response, 404, { ...nothing, headers: { ...headers, ...length } });
    } else await respond(request, response, 404, { body: { kind: 'bytes', bytes }, headers });
  };
};

const safe = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' };

const below =
  (basePath: string) =>
  (path: string): boolean =>
    path === basePath || path.startsWith(`${basePath}/`);

const isBrowser = (request: Request): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  request.headers.authorization === undefined &&
  request.accepts(['json', 'html']) === 'html';

/** The way from a path to the root: one `../` for each `/` after the first. */
const rootOf = (path: string): string => '../'.repeat(path.split('/').length - 2) || './';
