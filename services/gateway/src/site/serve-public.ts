import { Failure } from '@pto/errors';
import type { Request, RequestHandler } from 'express';
import { type Budgets, rateLimited } from '../admission/budgets.ts';
import type { Backends } from '../backends.ts';
import { nothing, type PartnerResponse, type Responder } from '../http/respond.ts';
import { type Installation, openapiDocument } from '../openapi/document.ts';
import type { Route } from '../routes/route.ts';
import { jsonRoute } from './json-route.ts';
import { logRoutes } from './log-routes.ts';
import {
  isUnchanged,
  type PublicResource,
  type PublicRoute,
  representationFor,
} from './representation.ts';
import type { Site } from './site.ts';
import { verifyFiles, verifyRoute } from './verify-page.ts';
import { wellKnownRoutes } from './well-known.ts';

/**
 * Returns all routes that need no key, besides those of the documentation site (site.ts). Their
 * paths begin at the gateway's root, outside of the API's base path.
 */
export const publicRoutes = (
  table: readonly Route[],
  installation: Installation,
  backends: Pick<Backends, 'log' | 'cells'>,
  described: {
    readonly connectivity: () => Promise<unknown>;
    readonly status: () => Promise<unknown>;
  },
): readonly PublicRoute[] => [
  fixedRoute('/openapi.json', {
    contentType: 'application/json',
    bytes: Buffer.from(JSON.stringify(openapiDocument(table, installation))),
  }),
  // browsers request the icon without a link to it
  fixedRoute('/favicon.ico', { contentType: 'image/svg+xml', bytes: Buffer.from(icon) }),
  ...wellKnownRoutes(installation),
  ...verifyFiles().map(([path, shown]) => fixedRoute(path, shown)),
  verifyRoute(backends),
  ...logRoutes(backends),
  jsonRoute('/connectivity.json', 60, described.connectivity),
  jsonRoute('/status.json', 5, described.status),
];

/** Returns a route whose bytes do not change while this process runs. All of them share one name. */
const fixedRoute = (path: string, shown: PublicResource): PublicRoute => ({
  path: new RegExp(`^${path.replaceAll('.', '\\.')}$`),
  name: 'page',
  read: () => shown,
});

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#0b57a4"/><path d="M7 16a5 5 0 0 1 5-5h3v3h-3a2 2 0 0 0 0 4h3v3h-3a5 5 0 0 1-5-5zm18 0a5 5 0 0 1-5 5h-3v-3h3a2 2 0 0 0 0-4h-3v-3h3a5 5 0 0 1 5 5z" fill="#fff"/></svg>
`;

const allow = 'GET, HEAD';

/**
 * Serves every path outside of the API that needs no key, within a budget of requests per client
 * address: the routes, then the pages of the site, each by its exact path. Any other path does not
 * exist, with or without a key; a browser gets a redirect or the site's page for it.
 * @throws Failure NOT_FOUND, METHOD_NOT_ALLOWED, RATE_LIMITED
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
  async (request, response) => {
    const { path, method } = request;
    const { site, respond, budgets, perMinute } = by;
    const route = routes.find((one) => one.path.test(path)) ?? site.find(path);
    const notFound = !route && isBrowser(request) ? site.notFound(rootOf(path)) : undefined;
    const { context } = response.locals;
    if (route || notFound) {
      context.route = route?.name ?? 'page';
      context.isMethodSupported = method === 'GET' || method === 'HEAD';
    }
    const left = await budgets.spend(`open:${by.addressOf(request)}`, perMinute);
    if (!left.allowed) throw rateLimited(left);
    if (!route && !notFound)
      throw new Failure('NOT_FOUND', 'This path does not exist.', {
        details: { resource: 'path' },
      });
    if (!context.isMethodSupported)
      throw new Failure('METHOD_NOT_ALLOWED', `This path supports only ${allow}.`, {
        details: { allow },
      });
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    if (!route) {
      await respond(request, response, ...pageResponse(notFound!, site.redirect(path)));
      return;
    }
    const resource = await route.read(route.path.exec(path)?.groups ?? {});
    const { bytes, headers: described } = await representationFor(request, resource);
    const isKnown = isUnchanged(request.headers['if-none-match'], described.ETag);
    const headers = {
      'Content-Type': resource.contentType,
      'Cache-Control': resource.cacheControl ?? 'public, max-age=300',
      ...(resource.policy && { 'Content-Security-Policy': resource.policy }),
      ...resource.headers,
      ...described,
    };
    await respond(request, response, isKnown ? 304 : 200, {
      headers,
      pieces: isKnown ? [] : [bytes],
    });
  };

const pageResponse = (
  { page, policy }: NonNullable<ReturnType<Site['notFound']>>,
  location: string | undefined,
): readonly [status: number, PartnerResponse] => {
  if (location !== undefined) return [307, nothing({ Location: location })];
  const headers = {
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
