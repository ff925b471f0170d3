import { retryDelayMs, wait } from '../../../typescript/src/http/retry.ts';
import { epochSeconds } from '../clock.ts';
import { type Delivery, deliveryHeaders } from './delivery.ts';
import { type Answer, send } from './post.ts';

const attemptsMax = 4;

/** The receiver's response to the last attempt. */
export interface Forwarded extends Answer {
  readonly attempts: number;
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
    const headers = deliveryHeaders(delivery, [secret], epochSeconds());
    const answer = await send(url, { method: 'POST', headers, body: delivery.body });
    const forwarded = { ...answer, attempts };
    if (forwarded.ok) return forwarded;
    const lost = { status: null, code: null, retryAfter: null };
    const limits = { attempts, attemptsMax, remainingMs: Number.POSITIVE_INFINITY };
    const delayMs = retryDelayMs(lost, { ...limits, repeatable: true }, Math.random());
    if (delayMs === null) return forwarded;
    failed(forwarded);
    await wait(delayMs, signal);
  }
};
