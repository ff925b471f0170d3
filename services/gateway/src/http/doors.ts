import { Failure } from '@pto/errors';
import type { Request, RequestHandler } from 'express';
import { type Budgets, rateLimited } from '../limits/budget.ts';
import { nothing } from './answer.ts';
import type { Conclusion } from './conclude.ts';
import { isUnchanged, type Resource, representationFor } from './representation.ts';

/** Something that is shown without a key. */
export interface Door {
  /** The whole path in its only form; the reader gets what its groups catch. */
  readonly path: RegExp;
  /** For logs and metrics: the path, with names for its parameters. */
  readonly name: string;
  /** @throws Failure NOT_FOUND */
  read(groups: Readonly<Record<string, string | undefined>>): Promise<Shown> | Shown;
}

export interface Shown extends Resource {
  /** How long anyone may keep it; five minutes unless told, so that no release is far behind. */
  readonly maxAgeSeconds?: number | 'forever';
  /** Of a page: what it may load (Content-Security-Policy). */
  readonly policy?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A door behind which the same bytes stand as long as this process runs. */
export const fixedDoor = (path: string, shown: Shown): Door => ({
  path: new RegExp(`^${path.replaceAll('.', '\\.')}$`),
  name: path,
  read: () => shown,
});

/**
 * What is answered before a key is asked for, by its exact path, within a budget of requests per
 * client address. All other paths go on, so that without a key they are a 401 as ever.
 */
export const doorsOf = (
  doors: readonly Door[],
  options: {
    conclusion: Conclusion;
    budgets: Budgets;
    perMinute: number;
    addressOf(request: Request): string;
  },
): RequestHandler => {
  const { answer } = options.conclusion;
  return async (request, response, next) => {
    const { path } = request;
    const door = doors.find((one) => one.path.test(path));
    if (!door) {
      next();
      return;
    }
    response.locals.exchange.route = door.name;
    const name = `open:${options.addressOf(request)}`;
    const left = await options.budgets.spend(name, options.perMinute);
    if (!left.allowed) throw rateLimited(left);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new Failure('METHOD_NOT_ALLOWED', `This path takes ${allow}.`, { details: { allow } });
    const shown = await door.read(door.path.exec(path)?.groups ?? {});
    const { bytes, headers: named } = await representationFor(request, shown);
    const headers = { ...headersOf(shown), ...named };
    if (isUnchanged(request.headers['if-none-match'], named.ETag!))
      await answer(request, response, 304, { ...nothing, headers });
    else if (request.method === 'HEAD')
      await answer(request, response, 200, {
        ...nothing,
        headers: { ...headers, 'Content-Length': `${bytes.byteLength}` },
      });
    else await answer(request, response, 200, { body: { kind: 'bytes', bytes }, headers });
  };
};

const allow = 'GET, HEAD';

const headersOf = ({ contentType, policy, headers, maxAgeSeconds = 300 }: Shown) => ({
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
