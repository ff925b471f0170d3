import { parseInstantMs } from '@pto/config';
import { isUuid } from '@pto/database';
import { invalid } from '@pto/errors';
import { DeliveryService } from '@pto/proto/webhooks/v1/webhooks';
import { implement } from '@pto/rpc';
import { countDeliveries } from '../deliveries/count-deliveries.ts';
import { getDelivery, getDeliveryBody } from '../deliveries/get-delivery.ts';
import { listDeliveries, listOrderDeliveries } from '../deliveries/list-deliveries.ts';
import { locateDeliveries, locateDelivery } from '../deliveries/locate.ts';
import { listUntoldOrders } from '../deliveries/untold-orders.ts';
import type { EndpointDeps } from '../endpoints/deps.ts';
import { endpointMessage, handshakeMessage } from '../endpoints/endpoint-message.ts';
import {
  findEndpoint,
  listEndpoints,
  locateEndpoint,
  noSuchEndpoint,
} from '../endpoints/find-endpoint.ts';
import { rotateEndpointSecret } from '../endpoints/rotate-secret.ts';
import { testEndpoint } from '../endpoints/test-endpoint.ts';
import { updateEndpoint } from '../endpoints/update-endpoint.ts';
import { verifyEndpoint } from '../endpoints/verify-endpoint.ts';
import { listBreakingEndpoints } from '../health/breaking-endpoints.ts';
import type { Endpoint } from '../schema/entities.ts';
import { resealSecrets } from '../secrets/endpoint-secrets.ts';
import { recoverEndpoint } from '../streams/recover-endpoint.ts';
import { replayDelivery } from '../streams/replay-delivery.ts';

const overlapDefaultSeconds = 24 * 3600;
const overlapMaxSeconds = 7 * 24 * 3600;

/** The operator's RPCs on endpoints, deliveries and sealed secrets of all organizations. */
export const deliveryService = (deps: EndpointDeps) => {
  const { db, ring, deliverer } = deps;
  const message = (endpoint: Endpoint) => endpointMessage(endpoint, deps.health);
  return implement(DeliveryService, {
    listOrganizationEndpoints: async ({ organizationId }) => ({
      endpoints: (await listEndpoints(db, organizationId)).map(message),
    }),
    listBreakingEndpoints: async () => {
      const { endpoints, hasMore } = await listBreakingEndpoints(db, deps.health);
      return { endpoints: endpoints.map(message), hasMore };
    },
    listUntoldOrders: async () => ({ orders: await listUntoldOrders(db) }),
    showEndpoint: async ({ id }) => ({
      endpoint: message(await findEndpoint(db, await locateEndpoint(db, id))),
    }),
    listDeliveries: async (request) => {
      const organizationId = await locateDeliveries(db, request.endpointId);
      if (organizationId === undefined) throw noSuchEndpoint();
      return listDeliveries(db, { ...request, organizationId });
    },
    countDeliveries: async ({ endpointId: id }) => {
      const organizationId = await locateDeliveries(db, id);
      if (organizationId === undefined) throw noSuchEndpoint();
      return { days: await countDeliveries(db, { id, organizationId }) };
    },
    listOrderDeliveries: (request) => listOrderDeliveries(db, request),
    getDelivery: async ({ id }) => ({
      delivery: await getDelivery(db, await locateDelivery(db, id)),
    }),
    getDeliveryBody: async ({ id }) => ({
      body: await getDeliveryBody(db, await locateDelivery(db, id)),
    }),
    sendTest: async ({ id, commandId }, { deadline }) => {
      const deliveryId = requireCommandId(commandId) ?? undefined;
      const key = await locateEndpoint(db, id);
      return testEndpoint(deps, key, deadline, deliveryId === undefined ? {} : { deliveryId });
    },
    repeatHandshake: async ({ id }, { deadline }) => {
      const key = await locateEndpoint(db, id);
      const { endpoint, verified, result } = await verifyEndpoint(deps, key, deadline);
      return { endpoint: message(endpoint), verified, handshake: handshakeMessage(result) };
    },
    setEndpointDisabled: async ({ id, disabled }, { deadline }) => {
      const change = { ...(await locateEndpoint(db, id)), disabled, setEventFilter: false };
      const { endpoint } = await updateEndpoint(deps, change, deadline);
      return { endpoint: message(endpoint) };
    },
    /** @throws Failure NOT_FOUND, or VALIDATION if the overlap exceeds 7 days */
    rotateEndpointSecret: async ({ id, overlapSeconds = overlapDefaultSeconds }) => {
      if (overlapSeconds > overlapMaxSeconds)
        throw invalid(['overlap'], 'at most 7 days', overlapSeconds);
      const key = await locateEndpoint(db, id);
      const rotated = await rotateEndpointSecret(deps, key, overlapSeconds);
      return {
        endpoint: message(rotated.endpoint),
        secret: rotated.secret,
        previousExpiresAt: rotated.previousExpiresAt.toISOString(),
      };
    },
    recoverDeliveries: async ({ id, since, until, includePending, orderId }) => {
      const untilMs = until === '' ? null : instant('until', until);
      if (orderId !== '' && !isUuid(orderId))
        throw invalid(['order_id'], 'expected a UUID', orderId);
      const span = { sinceMs: instant('since', since), untilMs, includePending, orderId };
      const recovered = await recoverEndpoint(db, await locateEndpoint(db, id), span);
      deliverer.wake();
      return recovered;
    },
    replayDelivery: async ({ id, commandId }) => {
      const name = requireCommandId(commandId);
      const delivery = await replayDelivery(db, await locateDelivery(db, id), name);
      deliverer.wake();
      return { delivery };
    },
    resealSecrets: () => resealSecrets(db, ring),
  });
};

/** Returns the id; null: none. @throws Failure VALIDATION for a text that is not a UUID */
const requireCommandId = (id: string): string | null => {
  if (id === '') return null;
  if (!isUuid(id)) throw invalid(['command_id'], 'expected a UUID', id);
  return id;
};

const instant = (name: string, text: string): number => {
  try {
    return parseInstantMs(text);
  } catch (error) {
    throw invalid([name], (error as Error).message, text);
  }
};
