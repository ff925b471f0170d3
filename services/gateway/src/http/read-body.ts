import { createHash, hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { canonicalJson } from '@pto/custody-verifier';
import { Failure } from '@pto/errors';
import type { Request } from 'express';

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

/** Maximum size of a body in bytes (decision 15), where the route does not state another. */
const defaultMaxBytes = 256 * 1024;
const none = Buffer.alloc(0);

/**
 * Reads the request's body unchanged, at most `maxBytes`.
 * @throws Failure PAYLOAD_TOO_LARGE (decision 15); REQUEST_TIMEOUT if the body does not arrive
 *   within `timeoutMs`; an Error if the partner disconnects early
 */
export const readBody = async (
  request: Request,
  timeoutMs: number,
  maxBytes = defaultMaxBytes,
): Promise<Buffer> => {
  const { 'content-length': length, 'transfer-encoding': transfer } = request.headers;
  if (transfer === undefined && (length === undefined || length === '0')) return none;
  if (Number(length) > maxBytes) throw tooLarge(maxBytes);
  // if the connection closed during the earlier checks, no event follows: without this check the
  // request would keep its concurrency slot
  if (request.destroyed) throw clientGone();
  return collect(request, timeoutMs, maxBytes);
};

const collect = (request: Request, timeoutMs: number, maxBytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // copied into one buffer: chunks of one byte would be a quarter of a million small buffers
    const body = Buffer.allocUnsafe(Number(request.headers['content-length'] ?? maxBytes));
    let bytes = 0;
    const stop = (error: Error) => {
      clearTimeout(timer);
      request.off('data', take);
      reject(error);
    };
    const timer = setTimeout(() => stop(tooSlow()), timeoutMs);
    const take = (part: Buffer) => {
      if (bytes + part.length > maxBytes) {
        stop(tooLarge(maxBytes));
        return;
      }
      bytes += part.copy(body, bytes);
    };
    request
      .on('data', take)
      .once('end', () => {
        clearTimeout(timer);
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

/** The rest of the body is dropped (server/request-order.ts). */
const tooLarge = (maxBytes: number): Failure =>
  new Failure('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes / 1024} KiB.`, {
    details: { max_bytes: maxBytes },
  });

/**
 * Maximum nesting of a body. Deeper bodies are rejected, because recursive functions read the
 * parsed body and could exceed the call stack.
 */
const depthMax = 32;

/**
 * Parses a body as JSON in strict UTF-8, with or without a byte order mark. Of a member that is
 * given twice, the last one counts.
 * @throws Failure VALIDATION with the one fault `json_invalid` (decision 15)
 */
export const parseJsonBody = (bytes: Uint8Array): unknown => {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw jsonInvalid(0, 'not UTF-8');
  }
  const tooDeepAt = placeBelow(text, depthMax);
  if (tooDeepAt !== undefined) throw jsonInvalid(tooDeepAt, `nested deeper than ${depthMax}`);
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    throw jsonInvalid(placeOf(message, text), message);
  }
};

/**
 * Returns where a text stops being JSON. V8 states the position of most faults. Of the others it
 * names the character, and quotes the complete text or 10 characters before and after.
 */
const placeOf = (message: string, text: string): number => {
  const [, position] = / JSON at position (\d+)/.exec(message) ?? [];
  if (position !== undefined) return Number(position);
  const [, token = '', cut, quoted] = unexpected.exec(message) ?? [];
  if (quoted === undefined) return text.length; // the text has ended too early
  return Math.max(0, text.indexOf(quoted) + (cut ? 10 : quoted.indexOf(token)));
};

const unexpected = /^Unexpected token '(.)', (\.{3})?"(.*)"(?:\.{3})? is not valid JSON$/su;

const jsonInvalid = (position: number, error: string): Failure =>
  new Failure('VALIDATION', 'The body is not JSON.', {
    details: {
      detail: [
        {
          type: 'json_invalid',
          loc: ['body', position],
          msg: 'JSON decode error',
          input: {},
          ctx: { error },
        },
      ],
    },
  });

/**
 * Returns the first index where more than `depth` arrays and objects are open; undefined if there
 * is none.
 */
const placeBelow = (text: string, depth: number): number | undefined => {
  let open = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) isInString = !isInString;
    else if (isInString) at += code === backslash ? 1 : 0;
    else if (code === openingBracket || code === openingBrace) open++;
    else if (code === closingBracket || code === closingBrace) open--;
    if (open > depth) return at;
  }
  return undefined;
};

const [quote, backslash] = [0x22, 0x5c];
const [openingBracket, closingBracket, openingBrace, closingBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Returns the hash by which two bodies are the same (decision 23): SHA-256 of the RFC 8785 form of
 * the parsed JSON. A body with a lone surrogate or 1e999 in an ignored member has no such form; the
 * SHA-256 of a fixed line and the body's bytes is returned instead.
 */
export const bodyHash = (body: unknown, bytes: Uint8Array): Uint8Array => {
  let text: string;
  try {
    text = canonicalJson(body);
  } catch {
    return createHash('sha256').update('no RFC 8785 form\n').update(bytes).digest();
  }
  return Buffer.from(hash('sha256', text, 'base64'), 'base64'); // a third of the time of a Hash
};
