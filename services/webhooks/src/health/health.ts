import { epochMillis } from '@pto/database';
import type { Endpoint } from '../schema/entities.ts';

/** Results of an endpoint's attempts since its last success or passed handshake. */
export interface Health {
  readonly consecutiveFailures: number;
  /**
   * End of the first of the consecutive failures, milliseconds since the epoch; null if there is no
   * failure.
   */
  readonly failingSince: number | null;
  /**
   * Time of the last 2xx response, passed handshake, creation or end of a pause by the partner,
   * whichever is latest; milliseconds since the epoch.
   */
  readonly lastWellAt: number;
  /** Number of deliveries that used up their attempts since the last 2xx or passed handshake. */
  readonly exhausted: number;
}

export interface HealthLimits {
  readonly brokenFailures: number;
  readonly brokenMinAgeMs: number;
  readonly brokenSilenceMs: number;
}

/**
 * Returns the time at which the endpoint becomes BROKEN if no attempt succeeds until then (decision
 * 40), in milliseconds since the epoch. It is the earlier time of these conditions, or null if no
 * condition is met:
 *
 * - at least `brokenFailures` consecutive failures: `brokenMinAgeMs` after the first of them
 * - at least one exhausted delivery: `brokenSilenceMs` after `lastWellAt`
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

/** Consecutive failures divided by the limit for BROKEN, 0 to 1. */
export const failureRatio = ({ consecutiveFailures }: Health, limits: HealthLimits): number =>
  Math.min(1, consecutiveFailures / limits.brokenFailures);

/**
 * Percentage of the failure limit at which administrators are warned; 0: no warning, 100: the
 * endpoint is BROKEN (decision 40).
 */
export type WarningLevel = 0 | 50 | 70 | 90 | 100;

/** Returns the highest level below 100 that was reached. break-endpoint.ts queues level 100. */
export const warningLevel = (health: Health, limits: HealthLimits): WarningLevel =>
  ([90, 70, 50] as const).find((level) => failureRatio(health, limits) * 100 >= level) ?? 0;

/** The times of which the latest one is `lastWellAt`. */
export const wellTimes = ['created_at', 'verified_at', 'last_success_at', 'resumed_at'] as const;

export const healthOf = (endpoint: Endpoint): Health => ({
  consecutiveFailures: endpoint.consecutive_failures,
  failingSince: endpoint.failing_since === null ? null : epochMillis(endpoint.failing_since),
  exhausted: endpoint.exhausted,
  lastWellAt: Math.max(
    ...wellTimes
      .map((column) => endpoint[column])
      .filter((time) => time !== null)
      .map(epochMillis),
  ),
});

/**
 * Returns the time at which an endpoint becomes BROKEN if no attempt succeeds until then, as ISO
 * 8601. Null if the endpoint is disabled or not ENABLED, or if `breaksAt` returns null.
 */
export const shownBreaksAt = (endpoint: Endpoint, limits: HealthLimits): string | null => {
  const delivers = endpoint.status === 'ENABLED' && !endpoint.disabled;
  const at = delivers ? breaksAt(healthOf(endpoint), limits) : null;
  return at === null ? null : new Date(at).toISOString();
};

/** One attempt that counts for its endpoint's health. */
export interface CountedAttempt {
  readonly organizationId: string;
  readonly endpointId: string;
  /** Version of the URL that was called. A result of an older version does not count. */
  readonly urlVersion: number;
  readonly succeeded: boolean;
  readonly exhausted: boolean;
  readonly endedAt: Date;
}

/** The change of an endpoint's health by a batch of attempts. */
export interface HealthChange {
  readonly organizationId: string;
  readonly endpointId: string;
  readonly urlVersion: number;
  /**
   * Whether any attempt of the batch succeeded. If true, `failures` and `exhausted` count from the
   * last success on and replace the stored counts. If false, they are added to the stored counts.
   */
  readonly succeeded: boolean;
  readonly failures: number;
  readonly exhausted: number;
  readonly firstFailureAt: Date | null;
  /** Also of a failure before the last success. */
  readonly lastFailureAt: Date | null;
  readonly lastSuccessAt: Date | null;
}

/**
 * Returns one change per endpoint and URL version.
 * @param attempts in the order in which they ended.
 */
export const healthChanges = (attempts: readonly CountedAttempt[]): HealthChange[] => {
  const groups = Map.groupBy(attempts, (one) => `${one.endpointId} ${one.urlVersion}`);
  return [...groups.values()].map((group) => {
    const { organizationId, endpointId, urlVersion } = group[0]!;
    const lastSuccess = group.findLastIndex(({ succeeded }) => succeeded);
    const failed = group.slice(lastSuccess + 1);
    return {
      organizationId,
      endpointId,
      urlVersion,
      succeeded: lastSuccess >= 0,
      failures: failed.length,
      exhausted: failed.filter(({ exhausted }) => exhausted).length,
      firstFailureAt: failed[0]?.endedAt ?? null,
      lastFailureAt: group.findLast(({ succeeded }) => !succeeded)?.endedAt ?? null,
      lastSuccessAt: group[lastSuccess]?.endedAt ?? null,
    };
  });
};
