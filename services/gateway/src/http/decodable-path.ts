import type { RequestHandler } from 'express';

/**
 * A path whose escapes Express could not decode gets U+FFFD where they stand, as every lenient
 * server does, so that it is answered like any other wrong path or id. An encoded slash stays what
 * it is: part of a segment, and so of no route (decision 15).
 */
export const decodablePath: RequestHandler = (request, _, next) => {
  const end = request.url.search(/[?#]/);
  const path = end < 0 ? request.url : request.url.slice(0, end);
  try {
    decodeURIComponent(path);
  } catch {
    const lenient = Buffer.from(
      path.replace(/%([0-9a-fA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    ).toString('utf8');
    request.url =
      lenient.split('/').map(encodeURIComponent).join('/') + request.url.slice(path.length);
  }
  next();
};
