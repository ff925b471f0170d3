import { TimedOutError, TransportOrdersError } from '../errors.ts';
import { connectionError } from './connection-error.ts';
import { boundedBody, type Success } from './success.ts';

/** A failed attempt of a call. */
export interface FailedAttempt {
  /** HTTP status; null if no response was received. */
  readonly status: number | null;
  readonly code: string | null;
  /** Wait of the `Retry-After` header in seconds; null if the response has none. */
  readonly retryAfter: number | null;
}

export interface RetryState {
  /** Attempts so far, at least 1. */
  readonly attempts: number;
  readonly attemptsMax: number;
  /** Time until the end of the call's total time, in milliseconds. */
  readonly remainingMs: number;
  readonly repeatable: boolean;
}

const baseMs = 500;
const capMs = 20_000;

/** Statuses after which a repetition may succeed. The request may have been executed. */
const transient = new Set([408, 502, 503, 504]);

/**
 * Returns the wait before the next attempt in milliseconds, or null if there is none. The wait is
 * `Retry-After` if the response has it, else full jitter: a random part of 0.5, 1, 2 … 20 s. A wait
 * that exceeds the remaining time ends the call.
 * @param random in [0, 1), for the jitter.
 */
export const retryDelayMs = (
  failed: FailedAttempt,
  { attempts, attemptsMax, remainingMs, repeatable }: RetryState,
  random: number,
): number | null => {
  if (attempts >= attemptsMax || !isTemporary(failed, repeatable)) return null;
  const wait =
    failed.retryAfter === null
      ? random * Math.min(capMs, baseMs * 2 ** (attempts - 1))
      : failed.retryAfter * 1000;
  return wait < remainingMs ? wait : null;
};

/**
 * Whether the request may be repeated. A request with a 429 was not executed, so any operation may
 * be. IDEMPOTENCY_IN_PROGRESS: a concurrent request with the same key still runs.
 */
const isTemporary = ({ status, code }: FailedAttempt, repeatable: boolean): boolean =>
  status === 429 ||
  (repeatable && (status === null || transient.has(status) || code === 'IDEMPOTENCY_IN_PROGRESS'));

/**
 * Sends one request and reads its complete response.
 * @param timeoutMs time limit of request and response together.
 * @throws TimedOutError, ConnectionFailedError, ServerError for a body that is too large, or the
 *   reason of the signal.
 */
export const attempt = async (
  send: typeof fetch,
  url: string,
  init: RequestInit,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<Success> => {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const response = await send(url, { ...init, signal: controller.signal });
    return { response, body: await boundedBody(response) };
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof TransportOrdersError) throw cause;
    if (controller.signal.aborted)
      throw new TimedOutError(`no complete response within ${timeoutMs} ms`, { cause });
    throw connectionError(url, cause);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
};

/** Waits. An abort of the signal ends the wait: the promise rejects with the signal's reason. */
export const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
  });
