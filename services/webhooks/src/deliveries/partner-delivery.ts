import { publicReason } from '../egress/index.ts';
import type { DeliveryMessage } from './delivery-row.ts';

/**
 * A delivery as its partner reads it: an attempt that reached nobody shows neither why nor after
 * what time (decision 62). Operators read both.
 */
export const partnerDelivery = (
  delivery: DeliveryMessage,
  connectTimeoutMs: number,
): DeliveryMessage => ({
  ...delivery,
  attempts: delivery.attempts.map((attempt) => {
    const error = publicReason(attempt.error);
    const durationMs =
      error === 'unreachable' ? Math.max(attempt.durationMs, connectTimeoutMs) : attempt.durationMs;
    return { ...attempt, error, durationMs };
  }),
});
