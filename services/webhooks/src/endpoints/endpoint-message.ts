import type { MessageInitShape } from '@bufbuild/protobuf';
import type { EndpointSchema } from '@pto/proto/webhooks/v1/webhooks';
import type { Endpoint } from './endpoint.ts';

export const endpointMessage = (endpoint: Endpoint): MessageInitShape<typeof EndpointSchema> => ({
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
});
