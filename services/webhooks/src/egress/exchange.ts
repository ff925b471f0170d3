import type { Dispatcher } from 'undici';
import { EgressError } from './egress-error.ts';

export interface EgressRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** In all: from now to the answer's last byte that is read. */
  readonly timeoutMs: number;
  /** More of the answer's body is not read; the connection is dropped then. */
  readonly answerMaxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
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
 * One request on a pool, its answer read to the end or to its limit. Straight on undici's dispatch:
 * a stream for each answer, of which most are empty, costs more than all else that is done here.
 * @throws EgressError and nothing else.
 */
export const exchange = (pool: Dispatcher, request: EgressRequest): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { url, signal, answerMaxBytes } = request;
    const chunks: Buffer[] = [];
    let [length, interim, statusCode] = [0, 0, 0];
    let retryAfter: string | undefined;
    let connection: Dispatcher.DispatchController | undefined;
    let refused: EgressError | undefined;

    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', recall);
    };
    const answered = (): void => {
      settle();
      resolve({ statusCode, retryAfter, body: Buffer.concat(chunks).subarray(0, answerMaxBytes) });
    };
    const giveUp = (error: EgressError): void => {
      refused = error;
      settle();
      reject(error);
      connection?.abort(error);
    };
    const recall = (): void => giveUp(new EgressError('aborted', 'given up'));
    const late = (): void => giveUp(new EgressError('timeout', 'no whole answer in time'));
    const timer = setTimeout(late, request.timeoutMs);
    signal?.addEventListener('abort', recall, { once: true });
    if (signal?.aborted) return recall();

    pool.dispatch(
      {
        method: request.method,
        path: url.pathname + url.search,
        headers: { 'user-agent': userAgent, 'accept-encoding': 'identity', ...request.headers },
        body: request.body ?? null,
      },
      {
        onRequestStart: (controller) => {
          connection = controller;
          if (refused) controller.abort(refused);
        },
        onResponseStart: (_, status, headers) => {
          if (status < 200) {
            if (++interim > interimMax)
              giveUp(new EgressError('protocol', 'no end of interim answers'));
            return;
          }
          statusCode = status;
          const told = headers['retry-after'];
          retryAfter = typeof told === 'string' ? told : undefined;
        },
        onResponseData: (controller, chunk) => {
          chunks.push(chunk);
          length += chunk.length;
          if (length <= answerMaxBytes) return;
          answered(); // and no more of it: the connection is dropped
          controller.abort(new EgressError('protocol', 'more than is read'));
        },
        onResponseEnd: answered,
        onResponseError: (_, error) => {
          settle();
          reject(classified(error));
        },
      },
    );
  });

/** undici's codes of a connection that ended too early; other codes mean a malformed answer. */
const lost = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_CLOSED']);

const classified = (error: unknown): EgressError => {
  if (error instanceof EgressError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return lost.has(code) || code === 'UND_ERR_DESTROYED'
    ? new EgressError('connection_lost', 'the connection ended early', error)
    : new EgressError('protocol', 'not an HTTP answer', error);
};
