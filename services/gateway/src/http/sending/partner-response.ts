import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** A handler's response, which the gateway sends. */
export interface PartnerResponse<T = unknown> {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body:
    | { readonly kind: 'none' }
    | { readonly kind: 'json'; readonly value: T }
    /** Bytes that are sent unchanged: UTF-8 JSON, unless the headers state another type. */
    | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
    /** UTF-8 JSON in pieces. A piece is produced after the pieces before it were sent. */
    | { readonly kind: 'stream'; readonly pieces: AsyncIterable<string> };
}

export const json = <T>(
  value: T,
  headers: PartnerResponse['headers'] = {},
): PartnerResponse<T> => ({
  headers,
  body: { kind: 'json', value },
});

/** Returns a response with serialized JSON, which is sent unchanged. */
export const jsonBytes = (bytes: Uint8Array): PartnerResponse<never> => ({
  body: { kind: 'bytes', bytes },
});

export const nothing: PartnerResponse<never> = { body: { kind: 'none' } };

/**
 * Sends a response. If the first piece of a stream fails, nothing is sent and the error is thrown.
 * If a later piece fails, the connection is closed, so that the client sees an incomplete response.
 * @param timeoutMs if the response is not sent completely within this time, its connection is
 *   closed.
 */
export const send = async (
  response: Response,
  status: number,
  content: PartnerResponse,
  timeoutMs: number,
): Promise<void> => {
  const { body } = content;
  const first = body.kind === 'stream' ? await begin(body.pieces) : undefined;
  const timer = setTimeout(() => response.destroy(), timeoutMs).unref();
  response.once('close', () => clearTimeout(timer));
  response.status(status);
  response.setHeader('Cache-Control', 'no-store');
  if (body.kind !== 'none') response.setHeader('Content-Type', 'application/json');
  for (const [name, value] of Object.entries(content.headers ?? {}))
    response.setHeader(name, value);
  if (body.kind === 'none') {
    response.end();
    return;
  }
  const { exchange } = response.locals;
  if (first) {
    const counted = async function* () {
      for await (const piece of first) {
        exchange.sentBytes += Buffer.byteLength(piece);
        yield piece;
      }
    };
    await pipeline(Readable.from(counted()), response);
    return;
  }
  const bytes =
    body.kind === 'bytes'
      ? body.bytes
      : Buffer.from(JSON.stringify((body as { value: unknown }).value));
  exchange.sentBytes = bytes.byteLength;
  response.setHeader('Content-Length', bytes.byteLength);
  response.end(bytes);
};

/**
 * Produces the first piece, so that its error is thrown here. Returns all pieces, the first one
 * included.
 */
const begin = async (pieces: AsyncIterable<string>): Promise<AsyncIterable<string>> => {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    for (let step = first; !step.done; step = await iterator.next()) yield step.value;
  })();
};
