import { ConfigError } from '@pto/config';
import { PortalService } from '@pto/proto/access/v1/portal';
import { CourierService } from '@pto/proto/courier/v1/courier';
import { CustodyService, LogService } from '@pto/proto/custody/v1/custody';
import { LocationService } from '@pto/proto/orders/v1/locations';
import { OrderService } from '@pto/proto/orders/v1/orders';
import { WebhookService } from '@pto/proto/webhooks/v1/webhooks';
import { connectClient, grpcClient } from '@pto/rpc';
import type { GatewaySettings } from './config.ts';

/**
 * Opens a gRPC channel to each service, and a Connect client of the operators service for the rare
 * calls about the portal. A channel connects at its first call, and reconnects after a loss.
 * Production has no courier (decision 64).
 * @throws ConfigError for a sandbox without the courier's address
 */
export const openBackends = (settings: GatewaySettings) => {
  const { ordersAddress, custodyAddress, webhooksAddress, courierAddress, accessUrls, ...tls } =
    settings;
  const { environment } = settings;
  if (environment === 'sandbox' && courierAddress === '')
    throw new ConfigError(['COURIER_ADDRESS is required in the sandbox']);
  const orders = { address: ordersAddress, server: 'orders', tls } as const;
  const custody = { address: custodyAddress, server: 'custody', tls } as const;
  const webhooks = { address: webhooksAddress, server: 'webhooks', tls } as const;
  const courier = { address: courierAddress, server: 'courier', tls } as const;
  const clients = {
    orders: grpcClient(OrderService, orders),
    locations: grpcClient(LocationService, orders),
    custody: grpcClient(CustodyService, custody),
    log: grpcClient(LogService, custody),
    webhooks: grpcClient(WebhookService, webhooks),
    ...(environment === 'sandbox' && { courier: grpcClient(CourierService, courier) }),
  };
  return {
    ...clients,
    portal: connectClient(PortalService, { urls: accessUrls, server: 'operators', tls }),
    close: () => {
      for (const client of Object.values(clients)) client.close();
    },
  };
};

/** The clients of the services that the gateway calls. */
export type Backends = Omit<ReturnType<typeof openBackends>, 'close'>;
