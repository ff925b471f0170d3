import { Failure } from '@pto/errors';
import type { Request, RequestHandler } from 'express';
import { type Budgets, rateLimited } from '../limits/budget.ts';
import { nothing } from './answer.ts';
import { isUnchanged, type Resource, representationFor } from './representation.ts';
import type { Responder } from './responder.ts';

/** A route that needs no key. */
export interface PublicRoute {
  /** Matches the complete path; `read` receives its groups. */
  readonly path: RegExp;
  /** The path with names of its parameters, for logs and metrics. */
  readonly name: string;
  /** @throws Failure NOT_FOUND */
  read(
    groups: Readonly<Record<string, string | undefined>>,
  ): Promise<PublicResource> | PublicResource;
}

export interface PublicResource extends Resource {
  /** How long clients may cache it. Default: five minutes, so that clients see a new release soon. */
  readonly maxAgeSeconds?: number | 'forever';
  /** The Content-Security-Policy of a page. */
  readonly policy?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns a route whose bytes do not change while this process runs. */
export const fixedRoute = (path: string, shown: PublicResource): PublicRoute => ({
  path: new RegExp(`^${path.replaceAll('.', '\\.')}$`),
  name: path,
  read: () => shown,
});

/**
 * Serves public routes by their exact paths, within a budget of requests per client address. Every
 * other path needs a key: without one it is a 401.
 */
export const servePublicRoutes = (
  routes: readonly PublicRoute[],
  options: {
    responder: Responder;
    budgets: Budgets;
    perMinute: number;
    addressOf(request: Request): string;
  },
): RequestHandler => {
  const { respond } = options.responder;
  return async (request, response, next) => {
    const { path } = request;
    const route = routes.find((one) => one.path.test(path));
    if (!route) {
      next();
      return;
    }
    response.locals.exchange.route = route.name;
    const name = `open:${options.addressOf(request)}`;
    const left = await options.budgets.spend(name, options.perMinute);
    if (!left.allowed) throw rateLimited(left);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new Failure('METHOD_NOT_ALLOWED', `This path takes ${allow}.`, { details: { allow } });
    const shown = await route.read(route.path.exec(path)?.groups ?? {});
    const { bytes, headers: named } = await representationFor(request, shown);
    const headers = { ...headersOf(shown), ...named };
    if (isUnchanged(request.headers['if-none-match'], named.ETag!))
      await respond(request, response, 304, { ...nothing, headers });
    else if (request.method === 'HEAD')
      await respond(request, response, 200, {
        ...nothing,
        headers: { ...headers, 'Content-Length': `${bytes.byteLength}` },
      });
    else await respond(request, response, 200, { body: { kind: 'bytes', bytes }, headers });
  };
};

const allow = 'GET, HEAD';

const headersOf = ({ contentType, policy, headers, maxAgeSeconds = 300 }: PublicResource) => ({
  'Content-Type': contentType,
  'Cache-Control':
    maxAgeSeconds === 'forever'
      ? 'public, max-age=31536000, immutable'
      : `public, max-age=${maxAgeSeconds}`,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  ...(policy && { 'Content-Security-Policy': policy }),
  ...headers,
});
