import type { Database } from '@pto/database';
import { DeliveryService } from '@pto/proto/webhooks/v1/webhooks';
import { implement } from '@pto/rpc';
import { endpointMessage } from '../endpoints/endpoint-message.ts';
import { findEndpoint } from '../endpoints/find-endpoint.ts';
import { listEndpoints } from '../endpoints/list-endpoints.ts';
import { getDelivery } from '../operator/get-delivery.ts';
import { listDeliveries } from '../operator/list-deliveries.ts';
import { replayDelivery } from '../operator/replay-delivery.ts';

/** Endpoints and deliveries in the operator's hands. */
export const deliveryService = ({ db, wake }: { db: Database; wake: () => void }) =>
  implement(DeliveryService, {
    listOrganizationEndpoints: async ({ organizationId }) => ({
      endpoints: (await listEndpoints(db, organizationId)).map(endpointMessage),
    }),
    showEndpoint: async ({ id }) => ({ endpoint: endpointMessage(await findEndpoint(db, { id })) }),
    listDeliveries: (request) => listDeliveries(db, request),
    getDelivery: async ({ id }) => ({ delivery: await getDelivery(db, id) }),
    replayDelivery: async ({ id }) => {
      const delivery = await replayDelivery(db, id);
      wake();
      return { delivery };
    },
  });
