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
 * When the endpoint becomes BROKEN if nothing succeeds (decision 40): after many failed attempts in
 * a row once some time has gone since the first of them, or after a long time without a success in
 * which at least one delivery was given up. Null while neither is so.
 * @returns milliseconds since the epoch.
 */
export const breaksAt = (health: Health, limits: HealthLimits): number | null => {
  const { consecutiveFailures, failingSince, exhausted, lastWellAt } = health;
  const manyFailures = consecutiveFailures >= limits.brokenFailures && failingSince !== null;
  const times = [
    ...(manyFailures ? [failingSince + limits.brokenMinAgeMs] : []),
    ...(exhausted > 0 ? [lastWellAt + limits.brokenSilenceMs] : []),
  ];
  return times.length === 0 ? null : Math.min(...times);
};

export const isBroken = (health: Health, limits: HealthLimits, now: number): boolean =>
  (breaksAt(health, limits) ?? Number.POSITIVE_INFINITY) <= now;

/** Failed attempts in a row against those that it takes to be BROKEN; 1 at most. */
export const failureRatio = ({ consecutiveFailures }: Health, limits: HealthLimits): number =>
  Math.min(1, consecutiveFailures / limits.brokenFailures);

/** What administrators are warned at, in percent of the failures; 100: BROKEN (decision 40). */
export type WarningLevel = 0 | 50 | 70 | 90 | 100;

/** The highest that was reached; BROKEN is judged elsewhere. */
export const warningLevel = (health: Health, limits: HealthLimits): WarningLevel =>
  ([90, 70, 50] as const).find((level) => failureRatio(health, limits) * 100 >= level) ?? 0;
