import { ConnectionFailedError, TimedOutError } from '../errors/transport-orders-error.ts';

/**
 * Sends one request and reads its complete response.
 * @param timeoutMs time limit of request and response together.
 * @throws TimedOutError, ConnectionFailedError, or the reason of the signal.
 */
export const attempt = async (
  send: typeof fetch,
  url: string,
  init: RequestInit,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<{ response: Response; text: string }> => {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const response = await send(url, { ...init, signal: controller.signal });
    return { response, text: await response.text() };
  } catch (cause) {
    signal?.throwIfAborted();
    if (controller.signal.aborted)
      throw new TimedOutError(`no complete response within ${timeoutMs} ms`, { cause });
    throw new ConnectionFailedError('the connection failed or ended early', { cause });
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
