import { CustodyService, LogService } from '@pto/proto/custody/v1/custody';
import { LocationService } from '@pto/proto/orders/v1/locations';
import { OrderService } from '@pto/proto/orders/v1/orders';
import { WebhookService } from '@pto/proto/webhooks/v1/webhooks';
import { grpcClient } from '@pto/rpc';
import type { GatewaySettings } from './config.ts';

/**
 * Opens a gRPC channel to each service. A channel connects at its first call, and reconnects after
 * a loss.
 */
export const openBackends = (settings: GatewaySettings) => {
  const { ordersAddress, custodyAddress, webhooksAddress, ...tls } = settings;
  const orders = { address: ordersAddress, server: 'orders', tls } as const;
  const custody = { address: custodyAddress, server: 'custody', tls } as const;
  const webhooks = { address: webhooksAddress, server: 'webhooks', tls } as const;
  const clients = {
    orders: grpcClient(OrderService, orders),
    locations: grpcClient(LocationService, orders),
    custody: grpcClient(CustodyService, custody),
    log: grpcClient(LogService, custody),
    webhooks: grpcClient(WebhookService, webhooks),
  };
  return {
    ...clients,
    close: () => {
      for (const client of Object.values(clients)) client.close();
    },
  };
};

/** The gRPC clients of the services that the gateway calls. */
export type Backends = Omit<ReturnType<typeof openBackends>, 'close'>;
