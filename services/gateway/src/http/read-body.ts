import type { IncomingHttpHeaders } from 'node:http';
import { Failure } from '@pto/errors';
import type { Request } from 'express';
import { defaultMaxBytes } from '../admission/admission.ts';
import type { Timings } from '../config.ts';

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
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'Send application/json in UTF-8, uncompressed.');
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

const none = Buffer.alloc(0);

/**
 * Returns the size of a request's body, and `maxBytes` if the request does not state it.
 * @throws Failure PAYLOAD_TOO_LARGE (decision 15)
 */
export const bodySize = (headers: IncomingHttpHeaders, maxBytes = defaultMaxBytes): number => {
  if (headers['transfer-encoding'] !== undefined) return maxBytes;
  const length = Number(headers['content-length'] ?? 0);
  if (length > maxBytes) throw tooLarge(maxBytes);
  return length;
};

type BodyTimings = Pick<Timings, 'bodyMs' | 'bodyStillMs'>;

/**
 * Reads the request's body unchanged.
 * @param maxBytes what `bodySize` returns.
 * @param isWaitedFor tells whether others wait for the memory that this body holds.
 * @throws Failure PAYLOAD_TOO_LARGE (decision 15); REQUEST_TIMEOUT if nothing of the body arrives for
 *   `bodyStillMs`, if it does not end within `bodyMs`, or while others wait, if it is too slow for
 *   that; an Error if the partner disconnects early
 */
export const readBody = async (
  request: Request,
  timings: BodyTimings,
  maxBytes: number,
  isWaitedFor: () => boolean,
): Promise<Buffer> => {
  if (maxBytes === 0) return none;
  // if the connection closed during the earlier checks, no event follows: without this check the
  // request would keep its concurrency slot
  if (request.destroyed) throw clientGone();
  return collect(request, timings, maxBytes, isWaitedFor);
};

const collect = (
  request: Request,
  { bodyMs, bodyStillMs }: BodyTimings,
  maxBytes: number,
  isWaitedFor: () => boolean,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // copied into one buffer: chunks of one byte would be a quarter of a million small buffers
    const body = Buffer.allocUnsafe(maxBytes);
    let bytes = 0;
    const begun = performance.now();
    let arrived = begun;
    const graceMs = bodyStillMs / 2;
    // a body without a stated length may end long before its maximum: 5 MiB of 8 are a complete file
    const isStated = request.headers['transfer-encoding'] === undefined;
    const paceBytes = isStated ? maxBytes : maxBytes / 2;
    const isLate = (): boolean => {
      const now = performance.now();
      if (now - arrived >= bodyStillMs || now - begun >= bodyMs) return true;
      // a body that waits for its last byte must not keep others out
      if (!isWaitedFor()) return false;
      return bytes < (paceBytes * (now - begun - graceMs)) / (bodyMs - graceMs);
    };
    const stop = (error: Error) => {
      clearInterval(late);
      request.off('data', take);
      reject(error);
    };
    const late = setInterval(() => isLate() && stop(tooSlow()), graceMs / 2);
    const take = (part: Buffer) => {
      if (bytes + part.length > maxBytes) {
        stop(tooLarge(maxBytes));
        return;
      }
      bytes += part.copy(body, bytes);
      arrived = performance.now();
    };
    request
      .on('data', take)
      .once('end', () => {
        clearInterval(late);
        resolve(body.subarray(0, bytes));
      })
      .once('error', stop)
      .once('close', () => {
        // `close` follows `end`, too, and an error costs a stack
        if (!request.readableEnded) stop(clientGone());
      });
  });

const clientGone = (): Error => new Error('the partner disconnected');

const tooSlow = (): Failure =>
  new Failure('REQUEST_TIMEOUT', 'The request was not received completely in time.');

/**
 * The rest of the body is dropped (packages/lifecycle/src/http-server).
 * @param besides names what may be larger.
 */
export const tooLarge = (maxBytes: number, besides = ''): Failure =>
  new Failure('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes / 1024} KiB${besides}.`, {
    details: { max_bytes: maxBytes },
  });
