import { WebhookService } from '@pto/proto/webhooks/v1/webhooks';
import { implement } from '@pto/rpc';
import { createEndpoint } from '../endpoints/create-endpoint.ts';
import { deleteEndpoint } from '../endpoints/delete-endpoint.ts';
import type { EndpointDeps } from '../endpoints/deps.ts';
import { endpointMessage } from '../endpoints/endpoint-message.ts';
import { findEndpoint } from '../endpoints/find-endpoint.ts';
import { listEndpoints } from '../endpoints/list-endpoints.ts';
import { testEndpoint } from '../endpoints/test-endpoint.ts';
import { updateEndpoint } from '../endpoints/update-endpoint.ts';
import { verifyEndpoint } from '../endpoints/verify-endpoint.ts';

/** What partners do with their endpoints, through the gateway (contract 4.9). */
export const webhookService = (deps: EndpointDeps) =>
  implement(WebhookService, {
    createEndpoint: async (request, { deadline }) => {
      const { endpoint, secret } = await createEndpoint(deps, request, deadline);
      return { endpoint: endpointMessage(endpoint), secret };
    },
    listEndpoints: async ({ organizationId }) => ({
      endpoints: (await listEndpoints(deps.db, organizationId)).map(endpointMessage),
    }),
    getEndpoint: async ({ id, organizationId }) => ({
      endpoint: endpointMessage(await findEndpoint(deps.db, { id, organizationId })),
    }),
    updateEndpoint: async (request, { deadline }) => ({
      endpoint: endpointMessage(await updateEndpoint(deps, request, deadline)),
    }),
    deleteEndpoint: async ({ id, organizationId }, { deadline }) => {
      await deleteEndpoint(deps, { id, organizationId }, deadline);
      return {};
    },
    verifyEndpoint: async ({ id, organizationId }, { deadline }) => {
      const { endpoint, verified } = await verifyEndpoint(deps, { id, organizationId }, deadline);
      return { endpoint: endpointMessage(endpoint), verified };
    },
    testEndpoint: ({ id, organizationId }, { deadline }) =>
      testEndpoint(deps, { id, organizationId }, deadline),
  });
