import { setTimeout as wait } from 'node:timers/promises';

const attemptsMax = 5;
const retryable = new Set([408, 429, 502, 503, 504]);

/** Returns whether the same request, with the same key, can succeed later. */
const canRetry = (status, code) => retryable.has(status) || code === 'IDEMPOTENCY_IN_PROGRESS';

/** Creates an order. Give the same key to every attempt for the same order. */
export const createOrder = async (order, key) => {
  for (let attempt = 1; ; attempt++) {
    let delayMs = Math.random() * 500 * 2 ** attempt; // full jitter
    try {
      const response = await fetch(`${process.env.API}/orders`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${process.env.KEY}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': key,
        },
        body: JSON.stringify(order),
        signal: AbortSignal.timeout(10_000),
      });
      const body = await response.json();
      if (response.ok) return body;
      if (!canRetry(response.status, body.error?.code) || attempt === attemptsMax)
        throw Object.assign(new Error(JSON.stringify(body)), { final: true });
      delayMs = Math.max(delayMs, Number(response.headers.get('Retry-After') ?? 0) * 1000);
    } catch (error) {
      // no response: the order may exist, and the same key makes the next attempt safe
      if (error.final || attempt === attemptsMax) throw error;
    }
    await wait(delayMs);
  }
};

const order = {
  pickup: { address_text: 'Charitéplatz 1, 10117 Berlin' },
  dropoff: { address_text: 'Marienplatz 1, 80331 München' },
  pickup_window_start: '2030-01-01T08:00:00Z',
};
const { id } = await createOrder(order, 'transport-4711');
console.log(id);
