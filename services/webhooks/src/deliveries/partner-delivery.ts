import { publicReason } from '../egress/index.ts';
import type { DeliveryMessage } from './delivery-row.ts';

/**
 * Returns a delivery as its partner reads it: with public reasons in place of exact errors. An
 * `unreachable` attempt shows a duration of at least `connectTimeoutMs`. Both the error and a
 * shorter duration could reveal internal hosts (decision 62).
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
