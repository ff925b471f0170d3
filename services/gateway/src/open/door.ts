import { Failure } from '@pto/errors';
import type { Request, RequestHandler, Response } from 'express';
import { type Budgets, rateLimited } from '../limits/budget.ts';

/** Something that anyone may read without a key, outside of the partners' paths. */
export interface Door {
  /** The whole path, in its only form; what the groups catch is the reader's. */
  readonly path: RegExp;
  /** For logs and metrics: the path with its parameters' names. */
  readonly name: string;
  /** @throws Failure NOT_FOUND */
  read(groups: Readonly<Record<string, string | undefined>>): Promise<OpenDocument>;
}

export interface OpenDocument {
  /** The media type. */
  readonly type: string;
  readonly content: Uint8Array | string;
  /** How long anyone may keep it; `forever` for what never changes. */
  readonly maxAgeSeconds: number | 'forever';
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Serves the doors before any key is asked for, GET and HEAD alone, within a budget of reads per
 * client address; every other path goes on to the keys.
 */
export const openDoors =
  (
    doors: readonly Door[],
    options: { budgets: Budgets; perMinute: number; addressOf(request: Request): string },
  ): RequestHandler =>
  async (request, response, next) => {
    const [path = ''] = request.url.split('?');
    for (const door of doors) {
      const found = door.path.exec(path);
      if (!found) continue;
      response.locals.exchange.route = door.name;
      if (request.method === 'OPTIONS') {
        response.status(204).setHeader('Allow', allow).end();
        return;
      }
      if (request.method !== 'GET' && request.method !== 'HEAD')
        throw new Failure('METHOD_NOT_ALLOWED', `This path takes ${allow}.`, {
          details: { allow },
        });
      const name = `open:${options.addressOf(request)}`;
      const { allowed, reset } = await options.budgets.spend(name, options.perMinute);
      if (!allowed) throw rateLimited(reset);
      show(response, await door.read(found.groups ?? {}));
      return;
    }
    next();
  };

const allow = 'GET, HEAD, OPTIONS';

const show = (response: Response, document: OpenDocument): void => {
  const { type, content, maxAgeSeconds, headers = {} } = document;
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader(
    'Cache-Control',
    maxAgeSeconds === 'forever'
      ? 'public, max-age=31536000, immutable'
      : `public, max-age=${maxAgeSeconds}`,
  );
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', bytes.byteLength);
  response.end(bytes); // Node leaves it out for HEAD
};
