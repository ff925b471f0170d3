import { Failure } from '@pto/errors';
import type { Request, Response } from 'express';

const bodyMaxBytes = 256 * 1024;
const bodyTimeoutMs = 10_000;
const none = Buffer.alloc(0);
/**
 * Maximum number of bytes that are read and dropped of a body that is too large. Dropping them lets
 * the sender read the response. After this number of bytes the connection is closed.
 */
const drainMaxBytes = 4 * 1024 * 1024;

/** A size of a body, and what happens before more than that is read. */
interface Threshold {
  readonly bytes: number;
  exceeded(): Promise<unknown>;
}

/**
 * Reads the request's body unchanged.
 * @param threshold `exceeded` is called if the request does not state its length and has more bytes.
 * @throws Failure PAYLOAD_TOO_LARGE (decision 15); REQUEST_TIMEOUT if the body does not arrive
 *   within 10 s; an Error if the partner disconnects early
 */
export const readBody = async (
  request: Request,
  response: Response,
  threshold: Threshold,
): Promise<Buffer> => {
  const length = request.headers['content-length'];
  const chunked = request.headers['transfer-encoding'] !== undefined;
  if (!chunked && (length === undefined || length === '0')) return none;
  if (Number(length) > bodyMaxBytes) throw tooLarge(request);
  // if the connection closed during the earlier checks, no event follows: without this check the
  // request would keep its concurrency slot
  if (request.destroyed) throw clientGone();
  const received = receivedBody(request);
  if (received) {
    if (chunked && received.length > threshold.bytes) await threshold.exceeded();
    return received;
  }
  if (isAwaited(request)) goOn(response);
  return collect(request, chunked ? threshold : undefined);
};

const collect = (request: Request, threshold: Threshold | undefined): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    let above = threshold;
    const stop = (error: Error) => {
      clearTimeout(timer);
      request.off('data', take);
      reject(error);
    };
    const timer = setTimeout(() => stop(tooSlow()), bodyTimeoutMs);
    const take = (part: Buffer) => {
      bytes += part.length;
      parts.push(part);
      if (bytes > bodyMaxBytes) stop(tooLarge(request));
      else if (above && bytes > above.bytes) {
        request.pause();
        above.exceeded().then(() => request.resume(), stop);
        above = undefined;
      }
    };
    request
      .on('data', take)
      .once('end', () => {
        clearTimeout(timer);
        resolve(Buffer.concat(parts));
      })
      .once('error', stop)
      .once('close', () => {
        // `close` follows `end`, too, and an error costs a stack
        if (!request.readableEnded) stop(clientGone());
      });
  });

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

const tooSlow = (): Failure =>
  new Failure('REQUEST_TIMEOUT', 'The request was not received completely in time.');

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
