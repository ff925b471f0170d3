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
  const of = (address: string) => ({ address, tls: settings });
  const backends = {
    orders: grpcClient(OrderService, of(settings.ordersAddress)),
    locations: grpcClient(LocationService, of(settings.ordersAddress)),
    custody: grpcClient(CustodyService, of(settings.custodyAddress)),
    log: grpcClient(LogService, of(settings.custodyAddress)),
    webhooks: grpcClient(WebhookService, of(settings.webhooksAddress)),
  };
  return {
    ...backends,
    close: () => {
      for (const client of Object.values(backends)) client.close();
    },
  };
};
