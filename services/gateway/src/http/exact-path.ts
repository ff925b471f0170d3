import { Failure } from '@pto/errors';
import type { RequestHandler } from 'express';

/**
 * Rejects paths with an encoded slash or a fragment, because paths match exactly (decision 15). An
 * escape that is not UTF-8 becomes U+FFFD, so that an id with it is rejected as an invalid id and
 * not by the router's own error.
 * @throws Failure NOT_FOUND
 */
export const exactPath: RequestHandler = (request, _, next) => {
  const end = request.url.search(/[?#]/);
  const path = end < 0 ? request.url : request.url.slice(0, end);
  if (request.url[end] === '#' || /%2f/i.test(path)) throw noSuchPath();
  if (!isDecodable(path)) request.url = lenient(path) + request.url.slice(path.length);
  next();
};

export const noSuchPath = (): Failure =>
  new Failure('NOT_FOUND', 'There is nothing at this path.', { details: { resource: 'path' } });

const isDecodable = (path: string): boolean => {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
};

const lenient = (path: string): string => {
  const bytes = path.replace(/%([0-9a-f]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const text = Buffer.from(bytes, 'latin1').toString('utf8');
  return text.split('/').map(encodeURIComponent).join('/');
};
