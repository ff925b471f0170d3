import { attempt, retryDelayMs, wait } from '../../../typescript/src/http/retry.ts';
import { TransportOrdersError } from '../../../typescript/src/index.ts';
import { type Delivery, deliveryHeaders } from './delivery.ts';

/** Time in ms for the response to a forward: that of a delivery. */
const attemptTimeoutMs = 10_000;
const attemptsMax = 4;
/** Part of a response that is shown, in bytes. The rest is not read. */
const shownMaxBytes = 200;

/** The receiver's response to the last attempt. */
export interface Forwarded {
  readonly ok: boolean;
  /** Null without a complete response; `text` has the error then. */
  readonly status: number | null;
  /** The beginning of the response's body. */
  readonly text: string;
  readonly attempts: number;
  /** Duration of the last attempt in milliseconds. */
  readonly ms: number;
}

/** Where deliveries go, and with which secret. */
export interface Receiver {
  readonly url: string;
  readonly secret: string;
}

/**
 * Posts a delivery until the response is a 2xx, at most 4 times. An attempt that has begun is never
 * ended by the signal; the wait before the next one is.
 * @param failed is called after each attempt without a 2xx that is followed by another one.
 * @throws the reason of the signal.
 */
export const forward = async (
  { url, secret }: Receiver,
  delivery: Delivery,
  { signal, failed }: { signal: AbortSignal; failed: (forwarded: Forwarded) => void },
): Promise<Forwarded> => {
  for (let attempts = 1; ; attempts++) {
    const forwarded = { ...(await post(url, secret, delivery)), attempts };
    if (forwarded.ok) return forwarded;
    const lost = { status: null, code: null, retryAfter: null };
    const limits = { attempts, attemptsMax, remainingMs: Number.POSITIVE_INFINITY };
    const delayMs = retryDelayMs(lost, { ...limits, repeatable: true }, Math.random());
    if (delayMs === null) return forwarded;
    failed(forwarded);
    await wait(delayMs, signal);
  }
};

const post = async (
  url: string,
  secret: string,
  delivery: Delivery,
): Promise<Omit<Forwarded, 'attempts'>> => {
  const begun = performance.now();
  const headers = deliveryHeaders(delivery, secret, Math.floor(Date.now() / 1000));
  const init = { method: 'POST', headers, body: delivery.body, redirect: 'manual' as const };
  const ms = () => Math.round(performance.now() - begun);
  try {
    const limits = { timeoutMs: attemptTimeoutMs, signal: undefined };
    const { response, body } = await attempt(sendShort, url, init, limits);
    const text = new TextDecoder().decode(body);
    return { ok: response.ok, status: response.status, text, ms: ms() };
  } catch (error) {
    if (!(error instanceof TransportOrdersError)) throw error;
    return { ok: false, status: null, text: error.message, ms: ms() };
  }
};

/** Sends a request as `fetch` does. The response has the beginning of its body alone. */
const sendShort: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  const { status, body } = response;
  if (!body) return response;
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    parts.push(part);
    length += part.length;
    if (length >= shownMaxBytes) break; // ends the response
  }
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : Buffer.concat(parts).subarray(0, shownMaxBytes), { status });
};
