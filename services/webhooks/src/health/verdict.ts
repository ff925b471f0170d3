/** How an endpoint has fared since it was last well. */
export interface Health {
  readonly consecutiveFailures: number;
  /** When the first of them ended; milliseconds since the epoch. */
  readonly failingSince: number | null;
  /** The last 2xx or passed handshake, whichever is later. */
  readonly lastWellAt: number;
  /** Deliveries that used up their attempts since then. */
  readonly exhausted: number;
}

export interface HealthLimits {
  readonly brokenFailures: number;
  readonly brokenMinAgeMs: number;
  readonly brokenSilenceMs: number;
}

/**
 * Whether the endpoint is to be BROKEN (decision 40): many failed attempts in a row over some time,
 * or a long time without a success in which at least one delivery was given up.
 */
export const isBroken = (health: Health, limits: HealthLimits, now: number): boolean => {
  const manyFailures =
    health.consecutiveFailures >= limits.brokenFailures &&
    health.failingSince !== null &&
    now - health.failingSince >= limits.brokenMinAgeMs;
  const longSilence = health.exhausted > 0 && now - health.lastWellAt >= limits.brokenSilenceMs;
  return manyFailures || longSilence;
};
