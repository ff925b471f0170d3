import type { Dispatcher } from 'undici';
import { EgressError } from './egress-error.ts';

export interface EgressRequest {
  /** Whose connections it may use: those of one endpoint carry no other endpoint's requests. */
  readonly endpointId: string;
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** In all: from now to the answer's last byte that is read. */
  readonly timeoutMs: number;
  /** More of the answer's body is not read; the connection is dropped then. */
  readonly responseMaxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface EgressResponse {
  readonly statusCode: number;
  /** The header as it came. */
  readonly retryAfter: string | undefined;
  /** At most `answerMaxBytes`. */
  readonly body: Buffer;
}

/** Answers such as 103 before the real one; each costs as much as that. */
const interimMax = 16;

const userAgent = 'Partner-Transport-Orders/1.0';

/**
 * One request on a pool, its answer read to the end or to its limit.
 * @throws EgressError and nothing else.
 */
export const exchange = (pool: Dispatcher, request: EgressRequest): Promise<EgressResponse> =>
  new Promise((resolve, reject) => new Exchange(request, resolve, reject).begin(pool));

const giveUpLate = (exchange: Exchange): void =>
  exchange.giveUp(new EgressError('timeout', 'no whole answer in time'));

/**
 * Straight on undici's dispatch: a stream for each answer, of which most are empty, costs more than
 * all else that is done here. A class, because undici calls one method of all its objects faster
 * than a function of each.
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
    this.timer = setTimeout(giveUpLate, request.timeoutMs, this);
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

  /** Called by the caller's AbortSignal. */
  handleEvent(): void {
    this.giveUp(new EgressError('aborted', 'given up'));
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
      if (++this.interim > interimMax)
        this.giveUp(new EgressError('protocol', 'no end of interim answers'));
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
    this.onResponseEnd(); // and no more of it: the connection is dropped
    controller.abort(new EgressError('protocol', 'more than is read'));
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

/** undici's codes of a connection that ended too early; other codes mean a malformed answer. */
const lost = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_CLOSED']);

const classified = (error: unknown): EgressError => {
  if (error instanceof EgressError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return lost.has(code) || code === 'UND_ERR_DESTROYED'
    ? new EgressError('connection_lost', 'the connection ended early', error)
    : new EgressError('protocol', 'not an HTTP answer', error);
};
