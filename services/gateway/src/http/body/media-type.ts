import type { IncomingHttpHeaders } from 'node:http';
import { Failure } from '@pto/errors';

/**
 * Requires a body of plain JSON in UTF-8, by its headers (decision 15). A request with neither a
 * body nor a Content-Type passes; the route's schema then reports the missing body.
 * @throws Failure UNSUPPORTED_MEDIA_TYPE
 */
export const requireJson = (headers: IncomingHttpHeaders, bodyBytes: number): void => {
  const type = headers['content-type'];
  const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity';
  const isJson = type === undefined ? bodyBytes === 0 : isJsonType(type);
  // with `gzip, chunked` the body is still compressed after Node has read it
  const transfer = headers['transfer-encoding']?.trim().toLowerCase() ?? 'chunked';
  if (!isJson || encoding !== 'identity' || transfer !== 'chunked')
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'Send application/json in UTF-8, not compressed.');
};

/**
 * Returns whether a Content-Type is JSON. Any parameter is allowed, but a charset must be UTF-8.
 */
const isJsonType = (header: string): boolean => {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return (
    type === 'application/json' && (charset === undefined || /^charset="?utf-?8"?$/.test(charset))
  );
};
