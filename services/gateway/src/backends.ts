import { CustodyService, LogService } from '@pto/proto/custody/v1/custody';
import { LocationService } from '@pto/proto/orders/v1/locations';
import { OrderService } from '@pto/proto/orders/v1/orders';
import { WebhookService } from '@pto/proto/webhooks/v1/webhooks';
import { type GrpcClient, grpcClient } from '@pto/rpc';
import type { GatewaySettings } from './config.ts';

/** The services behind the gateway. */
export interface Backends {
  readonly orders: GrpcClient<typeof OrderService>;
  readonly locations: GrpcClient<typeof LocationService>;
  readonly custody: GrpcClient<typeof CustodyService>;
  readonly log: GrpcClient<typeof LogService>;
  readonly webhooks: GrpcClient<typeof WebhookService>;
}

/** Channels to all of them; each is connected at its first call and again when it was lost. */
export const openBackends = (settings: GatewaySettings): Backends & { close(): void } => {
  const { ordersAddress, custodyAddress, webhooksAddress, ...tls } = settings;
  const orders = { address: ordersAddress, server: 'orders', tls } as const;
  const custody = { address: custodyAddress, server: 'custody', tls } as const;
  const webhooks = { address: webhooksAddress, server: 'webhooks', tls } as const;
  const backends = {
    orders: grpcClient(OrderService, orders),
    locations: grpcClient(LocationService, orders),
    custody: grpcClient(CustodyService, custody),
    log: grpcClient(LogService, custody),
    webhooks: grpcClient(WebhookService, webhooks),
  };
  return {
    ...backends,
    close: () => {
      for (const client of Object.values(backends)) client.close();
    },
  };
};
