import type { Request, RequestHandler } from 'express';
import { nothing } from '../http/partner-response.ts';
import { browserHeaders, respondBytes } from '../http/public-routes.ts';
import type { Responder } from '../http/responder.ts';
import type { SpendPublic } from '../limits/key-budgets.ts';
import type { Site } from './site.ts';

/**
 * Responds to browsers on paths that are neither public nor part of the API: a redirect to a page,
 * or the site's page for unknown paths. A request counts as a browser's if it is a GET or HEAD,
 * prefers HTML to JSON and has no `Authorization`. All other requests, and all of a gateway without
 * a site, continue to the check of the key.
 */
export const browserPages = ({
  responder,
  spend,
  isApi,
  site,
}: {
  responder: Responder;
  spend: SpendPublic;
  /** Returns whether a path belongs to the API. */
  isApi: (path: string) => boolean;
  site: Pick<Site, 'notFound' | 'redirect'>;
}): RequestHandler => {
  return async (request, response, next) => {
    const { path } = request;
    const notFound = !isApi(path) && isBrowser(request) && site.notFound(rootOf(path));
    if (!notFound) {
      next();
      return;
    }
    response.locals.exchange.route = 'page';
    response.locals.exchange.isMethodSupported = true;
    await spend(request);
    const location = site.redirect(path);
    if (location !== undefined) {
      await responder.respond(request, response, 307, {
        ...nothing,
        headers: { Location: location, ...browserHeaders },
      });
      return;
    }
    const headers = {
      ...browserHeaders,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': notFound.policy,
    };
    const bytes = Buffer.from(notFound.page);
    await respondBytes(responder, request, response, { status: 404, bytes, headers });
  };
};

const isBrowser = (request: Request): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  request.headers.authorization === undefined &&
  request.accepts(['json', 'html']) === 'html';

/** Returns the relative URL from a path to the root: one `../` for each `/` after the first. */
const rootOf = (path: string): string => '../'.repeat(path.split('/').length - 2) || './';
