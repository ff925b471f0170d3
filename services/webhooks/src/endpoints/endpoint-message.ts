import type { MessageInitShape } from '@bufbuild/protobuf';
import type { EndpointSchema } from '@pto/proto/webhooks/v1/webhooks';
import { endpointHealth } from '../health/shown-health.ts';
import type { HealthLimits } from '../health/verdict.ts';
import type { Endpoint } from '../schema/endpoint.ts';

export const endpointMessage = (
  endpoint: Endpoint,
  limits: HealthLimits,
): MessageInitShape<typeof EndpointSchema> => ({
  id: endpoint.id,
  organizationId: endpoint.organizationId,
  url: endpoint.url,
  status: endpoint.status,
  disabled: endpoint.disabled,
  ...(endpoint.eventFilter && { eventFilter: { events: endpoint.eventFilter } }),
  consecutiveFailures: endpoint.consecutiveFailures,
  lastSuccessAt: endpoint.lastSuccessAt?.toISOString() ?? '',
  lastFailureAt: endpoint.lastFailureAt?.toISOString() ?? '',
  createdAt: endpoint.createdAt.toISOString(),
  health: healthMessage(endpoint, limits),
});

const healthMessage = (endpoint: Endpoint, limits: HealthLimits) => {
  const { failureRatio, breaksAt } = endpointHealth(endpoint, limits);
  return { failureRatio, breaksAt: breaksAt === null ? '' : new Date(breaksAt).toISOString() };
};
