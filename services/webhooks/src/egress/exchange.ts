import type { Dispatcher } from 'undici';
import { EgressError } from './egress-error.ts';

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
const tooManyInterim = `the receiver sent more than ${interimMax} interim (1xx) responses`;

const userAgent = 'Partner-Transport-Orders/1.0';

/**
 * Sends one request on a pool and reads the response to its end or to `responseMaxBytes`. A longer
 * response is no error: its body is cut.
 * @throws EgressError and nothing else.
 */
export const exchange = (pool: Dispatcher, request: EgressRequest): Promise<EgressResponse> =>
  new Promise((resolve, reject) => new Exchange(request, resolve, reject).begin(pool));

const giveUpAtDeadline = (exchange: Exchange): void =>
  exchange.giveUp(new EgressError('timeout', 'no complete response arrived before the deadline'));

/**
 * Handles one request by undici's `dispatch`. A stream for each response would cost more than all
 * other work here, and most responses are empty. It is a class, because a shared method is called
 * faster than a closure of each object.
 */
class Exchange implements Dispatcher.DispatchHandler {
  private readonly request: EgressRequest;
  private readonly resolve: (response: EgressResponse) => void;
  private readonly reject: (error: EgressError) => void;
  private readonly timer: NodeJS.Timeout;
  private readonly chunks: Buffer[] = [];
  private length = 0;
  private interim = 0;
  private statusCode = 0;
  private retryAfter: string | undefined = undefined;
  private connection: Dispatcher.DispatchController | undefined = undefined;
  private error: EgressError | undefined = undefined;

  constructor(
    request: EgressRequest,
    resolve: (response: EgressResponse) => void,
    reject: (error: EgressError) => void,
  ) {
    this.request = request;
    this.resolve = resolve;
    this.reject = reject;
    this.timer = setTimeout(giveUpAtDeadline, request.timeoutMs, this);
    request.signal?.addEventListener('abort', this);
  }

  begin(pool: Dispatcher): void {
    const { method, url, headers, body = null, signal } = this.request;
    if (signal?.aborted) this.handleEvent();
    else
      pool.dispatch(
        {
          method,
          path: url.pathname + url.search,
          headers: { 'user-agent': userAgent, 'accept-encoding': 'identity', ...headers },
          body,
        },
        this,
      );
  }

  giveUp(error: EgressError): void {
    this.error = error;
    this.settle();
    this.reject(error);
    this.connection?.abort(error);
  }

  /** Called when the caller's AbortSignal aborts. */
  handleEvent(): void {
    this.giveUp(new EgressError('aborted', 'the caller aborted the request'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.connection = controller;
    if (this.error) controller.abort(this.error);
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) {
      if (++this.interim > interimMax) this.giveUp(new EgressError('protocol', tooManyInterim));
      return;
    }
    this.statusCode = status;
    const retryAfter = headers['retry-after'];
    this.retryAfter = typeof retryAfter === 'string' ? retryAfter : undefined;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk);
    this.length += chunk.length;
    if (this.length <= this.request.responseMaxBytes) return;
    this.onResponseEnd(); // the rest is not read: the connection is closed
    const tooLong = `the response body exceeds ${this.request.responseMaxBytes} bytes`;
    controller.abort(new EgressError('protocol', tooLong));
  }

  onResponseEnd(): void {
    this.settle();
    const { statusCode, retryAfter, chunks, request } = this;
    const body = Buffer.concat(chunks).subarray(0, request.responseMaxBytes);
    this.resolve({ statusCode, retryAfter, body });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.settle();
    this.reject(classified(error));
  }

  private settle(): void {
    clearTimeout(this.timer);
    this.request.signal?.removeEventListener('abort', this);
  }
}

/** Codes of a connection that ended too early; other codes of undici mean a malformed response. */
const lost = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_CLOSED']);

export const classified = (error: unknown): EgressError => {
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
