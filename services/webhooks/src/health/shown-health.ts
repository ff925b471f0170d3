import type { Endpoint } from '../schema/endpoint.ts';
import { breaksAt, failureRatio, type Health, type HealthLimits } from './verdict.ts';

/**
 * Returns the failure ratio, and the time at which the endpoint becomes BROKEN if no attempt
 * succeeds until then, in milliseconds since the epoch. The time is null if the endpoint is
 * disabled or not ENABLED, or if `breaksAt` returns null.
 */
export const endpointHealth = (
  endpoint: Endpoint,
  limits: HealthLimits,
): { failureRatio: number; breaksAt: number | null } => {
  const { lastSuccessAt, verifiedAt, createdAt } = endpoint;
  const health: Health = {
    consecutiveFailures: endpoint.consecutiveFailures,
    failingSince: endpoint.failingSince?.getTime() ?? null,
    exhausted: endpoint.exhausted,
    lastWellAt: Math.max(...[lastSuccessAt, verifiedAt, createdAt].map((at) => at?.getTime() ?? 0)),
  };
  const delivers = endpoint.status === 'ENABLED' && !endpoint.disabled;
  return {
    failureRatio: failureRatio(health, limits),
    breaksAt: delivers ? breaksAt(health, limits) : null,
  };
};
