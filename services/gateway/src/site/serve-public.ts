import { Failure } from '@pto/errors';
import type { Request, RequestHandler } from 'express';
import { nothing, type PartnerResponse, type Responder } from '../http/respond.ts';
import { type Budgets, rateLimited } from '../limits/budgets.ts';
import { basePath } from '../routes/table.ts';
import {
  isUnchanged,
  type PublicResource,
  type PublicRoute,
  representationFor,
} from './representation.ts';
import type { Site } from './site.ts';

const allow = 'GET, HEAD';

/**
 * Serves every path outside of the API that needs no key, within a budget of requests per client
 * address: the pages of the site, then the routes, each by its exact path. A browser gets a redirect
 * or the site's page for any other path. All other requests, and those of the API without a
 * comparison with each route, continue to the check of the key.
 * @throws Failure METHOD_NOT_ALLOWED, RATE_LIMITED
 */
export const servePublic =
  (
    routes: readonly PublicRoute[],
    by: {
      readonly site: Site;
      readonly respond: Responder['respond'];
      readonly budgets: Budgets;
      readonly perMinute: number;
      addressOf(request: Request): string;
    },
  ): RequestHandler =>
  async (request, response, next) => {
    const { path, method } = request;
    const { site, respond, budgets, perMinute } = by;
    if (isApi(path)) {
      next();
      return;
    }
    const route = site.find(path) ?? routes.find((one) => one.path.test(path));
    const notFound = !route && isBrowser(request) ? site.notFound(rootOf(path)) : undefined;
    if (!route && !notFound) {
      next();
      return;
    }
    const { exchange } = response.locals;
    exchange.route = route?.name ?? 'page';
    exchange.isMethodSupported = method === 'GET' || method === 'HEAD';
    const left = await budgets.spend(`open:${by.addressOf(request)}`, perMinute);
    if (!left.allowed) throw rateLimited(left);
    if (!exchange.isMethodSupported)
      throw new Failure('METHOD_NOT_ALLOWED', `This path supports only ${allow}.`, {
        details: { allow },
      });
    const [status, content] = route
      ? await routeResponse(request, await route.read(route.path.exec(path)?.groups ?? {}))
      : pageResponse(notFound!, site.redirect(path));
    await respond(request, response, status, content);
  };

/** Returns whether a path is the base path or below it. */
const isApi = (path: string): boolean => path === basePath || path.startsWith(`${basePath}/`);

type Answer = readonly [status: number, PartnerResponse];

const routeResponse = async (request: Request, shown: PublicResource): Promise<Answer> => {
  const { bytes, headers: named } = await representationFor(request, shown);
  const headers = { ...headersOf(shown), ...named };
  return isUnchanged(request.headers['if-none-match'], named.ETag!)
    ? [304, nothing(headers)]
    : [200, { headers, pieces: [bytes] }];
};

const pageResponse = (
  { page, policy }: NonNullable<ReturnType<Site['notFound']>>,
  location: string | undefined,
): Answer => {
  if (location !== undefined) return [307, nothing({ Location: location, ...browserHeaders })];
  const headers = {
    ...browserHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
  };
  return [404, { headers, pieces: [Buffer.from(page)] }];
};

/**
 * Returns whether a request counts as a browser's: a GET or HEAD that prefers HTML to JSON and has
 * no `Authorization`.
 */
const isBrowser = (request: Request): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  request.headers.authorization === undefined &&
  request.accepts(['json', 'html']) === 'html';

/** Returns the relative URL from a path to the root: one `../` for each `/` after the first. */
const rootOf = (path: string): string => '../'.repeat(path.split('/').length - 2) || './';

const headersOf = ({ contentType, policy, headers, maxAgeSeconds = 300 }: PublicResource) => ({
  'Content-Type': contentType,
  'Cache-Control': cacheControl(maxAgeSeconds),
  ...browserHeaders,
  ...(policy && { 'Content-Security-Policy': policy }),
  ...headers,
});

const cacheControl = (maxAge: number | 'forever' | 'revalidate'): string => {
  if (maxAge === 'revalidate') return 'no-cache';
  return maxAge === 'forever' ? 'public, max-age=31536000, immutable' : `public, max-age=${maxAge}`;
};

/** Headers of every response that a browser may show. */
const browserHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};
