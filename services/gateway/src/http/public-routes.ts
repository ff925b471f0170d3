import { Failure } from '@pto/errors';
import type { Request, RequestHandler, Response } from 'express';
import type { SpendPublic } from '../limits/key-budgets.ts';
import { nothing } from './partner-response.ts';
import { isUnchanged, type Resource, representationFor } from './representation.ts';
import type { Responder } from './responder.ts';

/** A route that needs no key. */
export interface PublicRoute {
  /** Matches the complete path; `read` receives the named groups of the match. */
  readonly path: RegExp;
  /** The path with parameter names in place of values, for logs and metrics. */
  readonly name: string;
  /** Returns the resource. @throws Failure NOT_FOUND */
  read(
    groups: Readonly<Record<string, string | undefined>>,
  ): Promise<PublicResource> | PublicResource;
}

export interface PublicResource extends Resource {
  /**
   * Time for which clients may cache the resource, in seconds. Default: five minutes, so that
   * clients see a new release soon. `forever`: a year, without a revalidation. `revalidate`:
   * clients compare the ETag each time.
   */
  readonly maxAgeSeconds?: number | 'forever' | 'revalidate';
  /** The Content-Security-Policy of a page. */
  readonly policy?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns a route whose bytes do not change while this process runs. All of them share one name. */
export const fixedRoute = (path: string, shown: PublicResource): PublicRoute => ({
  path: new RegExp(`^${path.replaceAll('.', '\\.')}$`),
  name: 'page',
  read: () => shown,
});

/**
 * Serves public routes by their exact paths, within a budget of requests per client address. A page
 * of the site comes before a route with the same path. All other paths go to the next handler, those
 * of the API without a comparison with each route.
 * @throws Failure METHOD_NOT_ALLOWED, RATE_LIMITED
 */
export const servePublicRoutes = (
  routes: readonly PublicRoute[],
  {
    responder,
    spend,
    site,
    isApi,
  }: {
    responder: Responder;
    spend: SpendPublic;
    site: (path: string) => PublicRoute | undefined;
    /** Returns whether a path belongs to the API, where no route is public. */
    isApi: (path: string) => boolean;
  },
): RequestHandler => {
  return async (request, response, next) => {
    const { path } = request;
    const route = isApi(path)
      ? undefined
      : (site(path) ?? routes.find((one) => one.path.test(path)));
    if (!route) {
      next();
      return;
    }
    const { exchange } = response.locals;
    exchange.route = route.name;
    exchange.isMethodSupported = request.method === 'GET' || request.method === 'HEAD';
    await spend(request);
    if (!exchange.isMethodSupported)
      throw new Failure('METHOD_NOT_ALLOWED', `This path supports only ${allow}.`, {
        details: { allow },
      });
    const shown = await route.read(route.path.exec(path)?.groups ?? {});
    const { bytes, headers: named } = await representationFor(request, shown);
    const headers = { ...headersOf(shown), ...named };
    if (isUnchanged(request.headers['if-none-match'], named.ETag!))
      await responder.respond(request, response, 304, { ...nothing, headers });
    else await respondBytes(responder, request, response, { status: 200, bytes, headers });
  };
};

const allow = 'GET, HEAD';

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
export const browserHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/** Sends bytes. A HEAD request gets the headers with their length. */
export const respondBytes = (
  { respond }: Responder,
  request: Request,
  response: Response,
  {
    status,
    bytes,
    headers,
  }: { status: number; bytes: Uint8Array; headers: Record<string, string> },
): Promise<void> =>
  request.method === 'HEAD'
    ? respond(request, response, status, {
        ...nothing,
        headers: { ...headers, 'Content-Length': `${bytes.byteLength}` },
      })
    : respond(request, response, status, { body: { kind: 'bytes', pieces: [bytes] }, headers });
