import { Failure } from '@pto/errors';
import type { Request, Response } from 'express';

const bodyMaxBytes = 256 * 1024;
/**
 * Maximum number of bytes that are read and dropped of a body that is too large. Dropping them lets
 * the sender read the response. After this number of bytes the connection is closed.
 */
const drainMaxBytes = 4 * 1024 * 1024;

/**
 * Reads the request's body unchanged.
 * @throws Failure PAYLOAD_TOO_LARGE (decision 15); an Error if the partner disconnects early
 */
export const readBody = async (request: Request, response: Response): Promise<Buffer> => {
  const length = request.headers['content-length'];
  const chunked = request.headers['transfer-encoding'] !== undefined;
  if (!chunked && (length === undefined || length === '0')) return Buffer.alloc(0);
  if (Number(length) > bodyMaxBytes) throw tooLarge(request);
  // if the connection closed during the earlier checks, no event follows: without this check the
  // request would keep its concurrency slot
  if (request.destroyed) throw clientGone();
  const received = receivedBody(request);
  if (received) {
    response.locals.exchange.receivedBytes = received.length;
    return received;
  }
  if (isAwaited(request)) goOn(response);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    const take = (part: Buffer) => {
      bytes += part.length;
      response.locals.exchange.receivedBytes = bytes;
      if (bytes <= bodyMaxBytes) {
        parts.push(part);
        return;
      }
      request.off('data', take);
      reject(tooLarge(request));
    };
    request
      .on('data', take)
      .once('end', () => resolve(Buffer.concat(parts)))
      .once('error', reject)
      .once('close', () => {
        // `close` follows `end`, too, and an error costs a stack
        if (!request.readableEnded) reject(clientGone());
      });
  });
};

/**
 * Returns the body if it has arrived completely during the checks, as small bodies do; undefined:
 * it has not. Without events of the stream, it costs less.
 */
const receivedBody = (request: Request): Buffer | undefined => {
  const { complete, readableLength } = request;
  const isReceived = complete && readableLength > 0 && readableLength <= bodyMaxBytes;
  return isReceived ? request.read() : undefined;
};

const clientGone = (): Error => new Error('the partner disconnected');

/** Returns whether the client waits for 100 Continue before the body; never in HTTP/1.0. */
const isAwaited = ({ headers, httpVersion }: Request): boolean =>
  httpVersion !== '1.0' && headers.expect?.toLowerCase() === '100-continue';

/**
 * Sends 100 Continue. If the response to an earlier request on the same connection is not complete,
 * waits for its end: Node would write the status between the head and the body of that response.
 */
const goOn = (response: Response): void => {
  if (response.socket) response.writeContinue();
  else response.once('socket', () => response.headersSent || response.writeContinue());
};

const tooLarge = (request: Request): Failure => {
  let drained = 0;
  request.on('data', (part: Buffer) => {
    drained += part.length;
    if (drained > drainMaxBytes) request.socket.destroy();
  });
  return new Failure('PAYLOAD_TOO_LARGE', 'The body is larger than 256 KiB.', {
    details: { max_bytes: bodyMaxBytes },
  });
};
