import type { Database } from '@pto/database';
import { DeliveryService } from '@pto/proto/webhooks/v1/webhooks';
import { implement } from '@pto/rpc';
import type { KeyRing } from '@pto/sealing';
import { getDelivery } from '../deliveries/get-delivery.ts';
import { listDeliveries } from '../deliveries/list-deliveries.ts';
import { endpointMessage } from '../endpoints/endpoint-message.ts';
import { findEndpoint, listEndpoints } from '../endpoints/find-endpoint.ts';
import type { HealthLimits } from '../health/health.ts';
import type { Endpoint } from '../schema/entities.ts';
import { resealSecrets } from '../secrets/endpoint-secrets.ts';
import { replayDelivery } from '../streams/replay-delivery.ts';

/** The operator's RPCs on endpoints, deliveries and sealed secrets of all organizations. */
export const deliveryService = (deps: {
  db: Database;
  ring: KeyRing;
  health: HealthLimits;
  wake: () => void;
}) => {
  const { db, ring, wake } = deps;
  const message = (endpoint: Endpoint) => endpointMessage(endpoint, deps.health);
  return implement(DeliveryService, {
    listOrganizationEndpoints: async ({ organizationId }) => ({
      endpoints: (await listEndpoints(db, organizationId)).map(message),
    }),
    showEndpoint: async ({ id }) => ({ endpoint: message(await findEndpoint(db, { id })) }),
    listDeliveries: (request) => listDeliveries(db, request),
    getDelivery: async ({ id }) => ({ delivery: await getDelivery(db, { id }) }),
    replayDelivery: async ({ id }) => {
      const delivery = await replayDelivery(db, { id });
      wake();
      return { delivery };
    },
    resealSecrets: () => resealSecrets(db, ring),
  });
};
