import type { Request, RequestHandler } from 'express';
import type { SpendPublic } from '../http/public-budget.ts';
import { nothing } from '../http/sending/partner-response.ts';
import { browserHeaders, respondBytes } from '../http/sending/respond-bytes.ts';
import type { Responder } from '../http/sending/responder.ts';
import { notFoundPage, notFoundPolicy } from './not-found-page.ts';
import type { Site } from './site.ts';

/** Targets of redirects by path. Targets are relative: a proxy may add a prefix to all paths. */
const redirects: Readonly<Record<string, string>> = { '/': 'docs', '/docs/': '../docs' };

/**
 * Responds to browsers on paths that are neither public nor part of the API: a redirect to a page,
 * or an HTML 404. A request counts as a browser's if it is a GET or HEAD, prefers HTML to JSON and
 * has no `Authorization`. All other requests continue to the check of the key.
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
    if (isApi(path) || !isBrowser(request)) {
      next();
      return;
    }
    response.locals.exchange.route = 'page';
    response.locals.exchange.isMethodSupported = true;
    await spend(request);
    const location = redirects[path] ?? site.redirect(path);
    if (location !== undefined) {
      await responder.respond(request, response, 307, {
        ...nothing,
        headers: { Location: location, ...browserHeaders },
      });
      return;
    }
    const up = rootOf(path);
    const { page, policy } = site.notFound(up) ?? {
      page: notFoundPage(up),
      policy: notFoundPolicy,
    };
    const bytes = Buffer.from(page);
    const headers = {
      ...browserHeaders,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
    };
    await respondBytes(responder, request, response, { status: 404, bytes, headers });
  };
};

const isBrowser = (request: Request): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  request.headers.authorization === undefined &&
  request.accepts(['json', 'html']) === 'html';

/** Returns the relative URL from a path to the root: one `../` for each `/` after the first. */
const rootOf = (path: string): string => '../'.repeat(path.split('/').length - 2) || './';
