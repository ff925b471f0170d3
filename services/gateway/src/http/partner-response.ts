import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A handler's response, which the gateway sends. */
export interface PartnerResponse<T = unknown> {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body:
    | { readonly kind: 'none' }
    | { readonly kind: 'json'; readonly value: T }
    /**
     * Bytes that are sent unchanged, one piece after the other: UTF-8 JSON, unless the headers state
     * another type.
     */
    | { readonly kind: 'bytes'; readonly pieces: readonly Uint8Array[] }
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
export const jsonBytes = (...pieces: readonly Uint8Array[]): PartnerResponse<never> => ({
  body: { kind: 'bytes', pieces },
});

export const nothing: PartnerResponse<never> = { body: { kind: 'none' } };

/**
 * Sends a response. If the first piece of a stream fails, nothing is sent and the error is thrown.
 * If a later piece fails, the connection is closed, so that the client sees an incomplete response.
 * @param timeoutMs if the response is not sent completely within this time, its connection is
 *   closed.
 */
export const send = async (
  response: ServerResponse,
  status: number,
  content: PartnerResponse,
  timeoutMs: number,
): Promise<void> => {
  const { body } = content;
  const first = body.kind === 'stream' ? await begin(body.pieces) : undefined;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headersOf(content))) response.setHeader(name, value);
  if (first) {
    closeAfter(response, timeoutMs);
    await pipeline(Readable.from(first), response);
    return;
  }
  if (body.kind === 'bytes' || body.kind === 'json') {
    const pieces = body.kind === 'bytes' ? body.pieces : [Buffer.from(JSON.stringify(body.value))];
    const length = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
    response.setHeader('Content-Length', length);
    for (const piece of pieces.slice(0, -1)) response.write(piece);
    response.end(pieces.at(-1));
  } else response.end();
  // unless the operating system has all bytes already
  if (response.socket?.writableLength !== 0) closeAfter(response, timeoutMs);
};

/** Returns the headers of a response, without its length. */
const headersOf = ({ body, headers }: PartnerResponse): Readonly<Record<string, string>> => ({
  'Cache-Control': 'no-store',
  ...(body.kind !== 'none' && { 'Content-Type': 'application/json' }),
  ...headers,
});

/** Closes the connection of a response that is not sent completely within this time. */
const closeAfter = (response: ServerResponse, timeoutMs: number): void => {
  const timer = setTimeout(() => response.destroy(), timeoutMs).unref();
  response.on('close', () => clearTimeout(timer));
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
