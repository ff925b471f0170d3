import type { Dispatcher } from 'undici';
import { EgressError, type EgressFault } from './egress-error.ts';

export interface EgressRequest {
  /** Endpoint whose connections the request uses. Endpoints share no connections. */
  readonly endpointId: string;
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Time limit from now to the last byte of the response that is read. */
  readonly timeoutMs: number;
  /**
   * Maximum number of body bytes that are read. If the body is longer, the client closes the
   * connection.
   */
  readonly responseMaxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface EgressResponse {
  readonly statusCode: number;
  /** The `Retry-After` header, not parsed. */
  readonly retryAfter: string | undefined;
  /** The response body, cut at `responseMaxBytes`. */
  readonly body: Buffer;
}

/**
 * Maximum number of 1xx responses (such as 103) before the final response. Each 1xx response costs
 * as much work as a final response.
 */
const interimMax = 16;
const late = 'no complete response arrived before the deadline';
const tooManyInterim = `the receiver sent more than ${interimMax} interim (1xx) responses`;

const userAgent = 'Partner-Transport-Orders/1.0';

/**
 * Sends one request on a pool and reads the response to its end or to `responseMaxBytes`. A longer
 * response is no error: its body is cut. Uses undici's `dispatch`: a stream for each response would
 * cost more than all other work here, and most responses are empty.
 * @throws EgressError and nothing else.
 */
export const exchange = (pool: Dispatcher, request: EgressRequest): Promise<EgressResponse> =>
  new Promise((resolve, reject) => {
    const { method, url, headers, body = null, responseMaxBytes, signal } = request;
    const chunks: Buffer[] = [];
    let length = 0;
    let interim = 0;
    let statusCode = 0;
    let retryAfter: string | undefined;
    let connection: Dispatcher.DispatchController | undefined;
    let givenUp: EgressError | undefined;

    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    const giveUp = (fault: EgressFault, message: string) => {
      givenUp = new EgressError(fault, message);
      settle();
      reject(givenUp);
      connection?.abort(givenUp);
    };
    const abort = () => giveUp('aborted', 'the caller aborted the request');
    const end = () => {
      settle();
      resolve({
        statusCode,
        retryAfter,
        body: Buffer.concat(chunks).subarray(0, responseMaxBytes),
      });
    };

    const timer = setTimeout(giveUp, request.timeoutMs, 'timeout', late);
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort);
    pool.dispatch(
      {
        method,
        path: url.pathname + url.search,
        headers: { 'user-agent': userAgent, 'accept-encoding': 'identity', ...headers },
        body,
      },
      {
        onRequestStart: (controller) => {
          connection = controller;
          if (givenUp) controller.abort(givenUp);
        },
        onResponseStart: (_, status, responseHeaders) => {
          if (status < 200) {
            if (++interim > interimMax) giveUp('protocol', tooManyInterim);
            return;
          }
          statusCode = status;
          const given = responseHeaders['retry-after'];
          retryAfter = typeof given === 'string' ? given : undefined;
        },
        onResponseData: (controller, chunk) => {
          chunks.push(chunk);
          length += chunk.length;
          if (length <= responseMaxBytes) return;
          end(); // the rest is not read: the connection is closed
          const tooLong = `the response body exceeds ${responseMaxBytes} bytes`;
          controller.abort(new EgressError('protocol', tooLong));
        },
        onResponseEnd: end,
        onResponseError: (_, error) => {
          settle();
          reject(classified(error));
        },
      },
    );
  });

/** Codes of a connection that ended too early; other codes of undici mean a malformed response. */
const lost = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_CLOSED']);

const classified = (error: unknown): EgressError => {
  if (error instanceof EgressError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return lost.has(code) || code === 'UND_ERR_DESTROYED'
    ? new EgressError(
        'connection_lost',
        'the connection ended before the response was complete',
        error,
      )
    : new EgressError('protocol', 'malformed HTTP response', error);
};
