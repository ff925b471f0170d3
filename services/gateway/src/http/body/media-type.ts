import type { IncomingHttpHeaders } from 'node:http';
import { Failure } from '@pto/errors';

/**
 * Whether a body is JSON in plain UTF-8, by its headers (decision 15). A request that has neither a
 * body nor a Content-Type passes: what it lacks is said by its schema.
 * @throws Failure UNSUPPORTED_MEDIA_TYPE
 */
export const requireJson = (headers: IncomingHttpHeaders, bodyBytes: number): void => {
  const type = headers['content-type'];
  const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity';
  const isJson = type === undefined ? bodyBytes === 0 : isJsonType(type);
  // `gzip, chunked` comes off the wire still packed
  const transfer = headers['transfer-encoding']?.trim().toLowerCase() ?? 'chunked';
  if (!isJson || encoding !== 'identity' || transfer !== 'chunked')
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'Send application/json in UTF-8, not compressed.');
};

/** The type itself, with any parameters but a charset other than UTF-8. */
const isJsonType = (header: string): boolean => {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return (
    type === 'application/json' && (charset === undefined || /^charset="?utf-?8"?$/.test(charset))
  );
};
