import type { Endpoint, EndpointDay, Handshake } from '@pto/proto/webhooks/v1/webhooks';

/** Returns the result of a handshake as partners see it (decision 62); null without a handshake. */
export const handshakeJson = (handshake: Handshake | undefined) =>
  handshake
    ? {
        ok: handshake.ok,
        reason: handshake.reason || null,
        status_code: handshake.statusCode ?? null,
      }
    : null;

/** Returns an endpoint as partners see it (contract 2.5; decision 34). */
export const endpointJson = (endpoint: Endpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  status: endpoint.status,
  disabled: endpoint.disabled,
  event_filter: endpoint.eventFilter?.events ?? null,
  consecutive_failures: endpoint.consecutiveFailures,
  last_success_at: endpoint.lastSuccessAt || null,
  last_failure_at: endpoint.lastFailureAt || null,
  health: {
    failure_ratio: endpoint.health?.failureRatio ?? 0,
    breaks_at: endpoint.health?.breaksAt || null,
  },
  created_at: endpoint.createdAt,
});

/** Returns the metrics of an endpoint as partners see them. */
export const endpointMetricsJson = ({ days }: { readonly days: readonly EndpointDay[] }) => ({
  days: days.map(({ day, delivered, failed, pending, p95Ms }) => ({
    ...{ day, delivered, failed, pending },
    p95_ms: p95Ms ?? null,
  })),
});
