import type { Dispatcher } from 'undici';
import { EgressError } from './egress-error.ts';
import { type ConnectOptions, guardedConnect } from './guarded-connect.ts';
import { openPools } from './pools.ts';

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

/** Requests to receivers: guarded, bounded in time and memory, redirects never followed. */
export interface Egress {
  /** @throws EgressError and nothing else. */
  request(request: EgressRequest): Promise<Answer>;
  close(): Promise<void>;
}

/** Answers such as 103 before the real one; each costs as much as that. */
const interimMax = 16;

const userAgent = 'Partner-Transport-Orders/1.0';

export const openEgress = (options: ConnectOptions & { poolsMax?: number }): Egress => {
  const pools = openPools(guardedConnect(options), options.poolsMax ?? 1024);
  return {
    request: (request) => exchange(pools.of(request.url.origin), request),
    close: () => pools.close(),
  };
};

const exchange = async (pool: Dispatcher, request: EgressRequest): Promise<Answer> => {
  const ended = new AbortController();
  const timer = setTimeout(
    () => ended.abort(new EgressError('timeout', 'no whole answer in time')),
    request.timeoutMs,
  );
  const recall = () => ended.abort(new EgressError('aborted', 'given up'));
  request.signal?.addEventListener('abort', recall, { once: true });
  if (request.signal?.aborted) recall();
  let interim = 0;
  const onInfo = () => {
    if (++interim > interimMax)
      ended.abort(new EgressError('protocol', 'no end of interim answers'));
  };
  try {
    const answer = await pool.request({
      method: request.method,
      path: request.url.pathname + request.url.search,
      headers: { 'user-agent': userAgent, 'accept-encoding': 'identity', ...request.headers },
      body: request.body ?? null,
      signal: ended.signal,
      onInfo,
    });
    const retryAfter = answer.headers['retry-after'];
    return {
      statusCode: answer.statusCode,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      body: await firstBytes(answer.body, request.answerMaxBytes),
    };
  } catch (error) {
    throw ended.signal.aborted ? ended.signal.reason : classified(error);
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener('abort', recall);
  }
};

const firstBytes = async (
  body: Dispatcher.ResponseData['body'],
  bytesMax: number,
): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  // leaving the loop destroys the body, and with it the connection
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > bytesMax) break;
  }
  return Buffer.concat(chunks).subarray(0, bytesMax);
};

/** undici's codes of a connection that ended too early; other codes mean a malformed answer. */
const lost = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_CLOSED']);

const classified = (error: unknown): EgressError => {
  if (error instanceof EgressError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return lost.has(code) || code === 'UND_ERR_DESTROYED'
    ? new EgressError('connection_lost', 'the connection ended early', error)
    : new EgressError('protocol', 'not an HTTP answer', error);
};
