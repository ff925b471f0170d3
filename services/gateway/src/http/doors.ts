import { createHash } from 'node:crypto';
import { Failure } from '@pto/errors';
import type { RequestHandler } from 'express';
import { nothing } from './answer.ts';
import type { Conclusion } from './conclude.ts';

/** Something that is shown without a key: always the same bytes, while this process runs. */
export interface Door {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Of a page: what it may load (Content-Security-Policy). */
  readonly policy?: string;
}

/** Decision 50 leaves a partner's cache no more than this behind a new release. */
const maxAgeSeconds = 300;

/**
 * What is answered before a key is asked for, by its exact path. All other paths go on, so that
 * without a key they are a 401 as ever.
 */
export const doorsOf = (
  doors: ReadonlyMap<string, Door>,
  { answer }: Conclusion,
): RequestHandler => {
  const shown = new Map(
    [...doors].map(([path, door]) => [path, { door, headers: headersOf(door) }]),
  );
  return async (request, response, next) => {
    const found = shown.get(request.path);
    if (!found) {
      next();
      return;
    }
    response.locals.exchange.route = request.path;
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new Failure('METHOD_NOT_ALLOWED', `This path takes ${allow}.`, { details: { allow } });
    const { door, headers } = found;
    if (request.headers['if-none-match'] === headers.ETag)
      await answer(request, response, 304, { ...nothing, headers });
    else
      await answer(request, response, 200, { body: { kind: 'bytes', bytes: door.bytes }, headers });
  };
};

const allow = 'GET, HEAD';

const headersOf = ({ contentType, bytes, policy }: Door) => ({
  'Content-Type': contentType,
  'Cache-Control': `public, max-age=${maxAgeSeconds}`,
  ETag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  ...(policy && { 'Content-Security-Policy': policy }),
});
