import { invalid } from '@pto/errors';
import { WebhookService } from '@pto/proto/webhooks/v1/webhooks';
import { implement } from '@pto/rpc';
import { sampleQueue } from '../deliverer/sample-queue.ts';
import { countDeliveries } from '../deliveries/count-deliveries.ts';
import {
  type DeliveryMessage,
  getDelivery,
  partnerAttempt,
  partnerDelivery,
} from '../deliveries/get-delivery.ts';
import { listDeliveries, listOrderDeliveries } from '../deliveries/list-deliveries.ts';
import { connectivity } from '../endpoints/connectivity.ts';
import { createEndpoint } from '../endpoints/create-endpoint.ts';
import { deleteEndpoint } from '../endpoints/delete-endpoint.ts';
import type { EndpointDeps } from '../endpoints/deps.ts';
import { endpointMessage, handshakeMessage } from '../endpoints/endpoint-message.ts';
import { findEndpoint, listEndpoints, requireReadable } from '../endpoints/find-endpoint.ts';
import { rotateEndpointSecret } from '../endpoints/rotate-secret.ts';
import { getRehearsal, setRehearsal } from '../endpoints/set-rehearsal.ts';
import { testEndpoint } from '../endpoints/test-endpoint.ts';
import { updateEndpoint } from '../endpoints/update-endpoint.ts';
import { verifyEndpoint } from '../endpoints/verify-endpoint.ts';
import type { Endpoint } from '../schema/entities.ts';
import { recoverEndpoint } from '../streams/recover-endpoint.ts';
import { replayDelivery } from '../streams/replay-delivery.ts';

/** The gateway's RPCs on a partner's endpoints and deliveries (contract 4.9, and extensions). */
export const webhookService = (deps: EndpointDeps) => {
  const message = (endpoint: Endpoint) => endpointMessage(endpoint, deps.health);
  const { db, deliverer, connectTimeoutMs } = deps;
  const shown = (delivery: DeliveryMessage) => partnerDelivery(delivery, connectTimeoutMs);
  return implement(WebhookService, {
    getStatus: async () => ({ oldestDueSeconds: (await sampleQueue(db)).oldest }),
    getConnectivity: async () => connectivity(deps),
    createEndpoint: async (request, { deadline }) => {
      const { body, replayed, ...made } = await createEndpoint(deps, request, deadline);
      if (!made.endpoint) return { body, replayed };
      const { endpoint, secret, result, held } = made;
      const handshake = handshakeMessage(result);
      return { endpoint: message(endpoint), secret, handshake, body, replayed, held };
    },
    listEndpoints: async ({ organizationId }) => ({
      endpoints: (await listEndpoints(db, organizationId)).map(message),
    }),
    getEndpoint: async ({ id, organizationId }) => ({
      endpoint: message(await findEndpoint(db, { id, organizationId })),
    }),
    updateEndpoint: async (request, { deadline }) => {
      const { endpoint, result, held } = await updateEndpoint(deps, request, deadline);
      return {
        endpoint: message(endpoint),
        held,
        ...(result && { handshake: handshakeMessage(result) }),
      };
    },
    deleteEndpoint: async ({ id, organizationId }, { deadline }) => {
      await deleteEndpoint(deps, { id, organizationId }, deadline);
      return {};
    },
    verifyEndpoint: async ({ id, organizationId }, { deadline }) => {
      const which = { id, organizationId };
      const { endpoint, verified, result } = await verifyEndpoint(deps, which, deadline);
      return { endpoint: message(endpoint), verified, handshake: handshakeMessage(result) };
    },
    testEndpoint: ({ id, organizationId, eventType }, { deadline }) =>
      testEndpoint(deps, { id, organizationId }, deadline, { eventType }),
    rotateSecret: async ({ endpointId: id, organizationId, overlapSeconds }) => {
      const rotated = await rotateEndpointSecret(deps, { id, organizationId }, overlapSeconds);
      return {
        endpoint: message(rotated.endpoint),
        secret: rotated.secret,
        previousExpiresAt: rotated.previousExpiresAt.toISOString(),
      };
    },
    setRehearsal: async ({ endpointId: id, organizationId, ...wanted }) => ({
      rehearsal: await setRehearsal(deps, { id, organizationId }, wanted),
    }),
    getRehearsal: async ({ endpointId: id, organizationId }) => ({
      rehearsal: await getRehearsal(deps, { id, organizationId }),
    }),
    recoverEndpoint: async ({ endpointId: id, organizationId, since, until, ...which }) => {
      const untilMs = until === '' ? null : instant('until', until);
      const span = { sinceMs: instant('since', since), untilMs, ...which };
      const recovered = await recoverEndpoint(db, { id, organizationId }, span);
      deliverer.wake();
      return recovered;
    },
    listEndpointDeliveries: async ({ organizationId, endpointId, ...filter }) => {
      await requireReadable(db, { id: endpointId, organizationId });
      const page = await listDeliveries(db, { organizationId, endpointId, ...filter });
      return { ...page, deliveries: page.deliveries.map(shown) };
    },
    getEndpointDelivery: async ({ organizationId, endpointId, id }) => {
      await requireReadable(db, { id: endpointId, organizationId });
      return { delivery: shown(await getDelivery(db, { organizationId, id, endpointId })) };
    },
    getEndpointMetrics: async ({ organizationId, endpointId: id }) => {
      await requireReadable(db, { id, organizationId });
      return { days: await countDeliveries(db, { id, organizationId }) };
    },
    listDeliveriesOfOrder: async (request) => {
      const found = await listOrderDeliveries(db, request);
      const endpoints = found.endpoints.map(({ lastFailure, ...endpoint }) => ({
        ...endpoint,
        ...(lastFailure && { lastFailure: partnerAttempt(lastFailure, connectTimeoutMs) }),
      }));
      return { ...found, deliveries: found.deliveries.map(shown), endpoints };
    },
    replayEndpointDelivery: async ({ organizationId, endpointId, id }) => {
      await findEndpoint(db, { id: endpointId, organizationId });
      const delivery = await replayDelivery(db, { organizationId, id, endpointId });
      deliverer.wake();
      return { delivery: shown(delivery) };
    },
  });
};

const instant = (name: string, text: string): number => {
  const ms = Date.parse(text);
  if (Number.isNaN(ms))
    throw invalid(['body', name], 'expected an ISO 8601 time such as 2025-01-31T12:00:00Z', text);
  return ms;
};
