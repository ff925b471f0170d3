import { Failure } from '@pto/errors';
import type { RequestHandler } from 'express';

/**
 * Paths match exactly, or not at all (decision 15). An encoded slash is no path's, nor is a
 * fragment; an escape that is no UTF-8 becomes U+FFFD, as lenient servers read it, so that an id
 * spelt like this is rejected as an id and never by the router's own error.
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
