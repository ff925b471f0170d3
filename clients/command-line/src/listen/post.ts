import { directFetch, isLoopback } from '../../../typescript/src/http/direct.ts';
import { attempt } from '../../../typescript/src/http/retry.ts';
import { TransportOrdersError } from '../../../typescript/src/index.ts';
import { systemCode } from '../explain.ts';

/** Time in ms for the response to an attempt: that of a delivery (decision 39). */
const attemptTimeoutMs = 10_000;
/** Part of a response that is read, in bytes, by default. */
const readMaxBytes = 200;

/** A receiver's response to one attempt. */
export interface Answer {
  readonly ok: boolean;
  /** Null without a complete response; `text` has the error then. */
  readonly status: number | null;
  /** The beginning of the response's body. */
  readonly text: string;
  /** Duration of the attempt in milliseconds. */
  readonly ms: number;
}

/**
 * Sends one request to a receiver. Redirects are not followed.
 * @throws the reason of the signal.
 */
export const send = async (
  url: string,
  request: Omit<RequestInit, 'redirect' | 'signal'>,
  { signal, maxBytes = readMaxBytes }: { signal?: AbortSignal; maxBytes?: number } = {},
): Promise<Answer> => {
  const begun = performance.now();
  const ms = () => Math.round(performance.now() - begun);
  const init = { ...request, redirect: 'manual' as const };
  try {
    const limits = { timeoutMs: attemptTimeoutMs, signal };
    const { response, body } = await attempt(sendShort(maxBytes), url, init, limits);
    const text = new TextDecoder().decode(body);
    return { ok: response.ok, status: response.status, text, ms: ms() };
  } catch (error) {
    if (!(error instanceof TransportOrdersError)) throw error;
    return { ok: false, status: null, text: `${error.message}${codeText(error)}`, ms: ms() };
  }
};

/** Returns the system's code of a failed connection, such as ECONNREFUSED, in parentheses. */
const codeText = (error: Error): string => {
  const code = systemCode(error);
  return code === null ? '' : ` (${code})`;
};

/**
 * Returns what sends to a receiver. For one on this machine it is no `fetch`, which has ports that it
 * does not send to, and may send by a proxy.
 */
const senderTo = (url: string): typeof fetch =>
  (isLoopback(new URL(url).hostname) ? directFetch() : undefined) ?? fetch;

/** Sends a request as `fetch` does. The response has the beginning of its body alone. */
const sendShort =
  (maxBytes: number): typeof fetch =>
  async (...request) => {
    const response = await senderTo(`${request[0]}`)(...request);
    const { status, body } = response;
    if (!body) return response;
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of body) {
      parts.push(part);
      length += part.length;
      if (length >= maxBytes) break; // ends the response
    }
    const isEmpty = status === 204 || status === 205 || status === 304;
    return new Response(isEmpty ? null : Buffer.concat(parts).subarray(0, maxBytes), { status });
  };
