import { base64Key, oneOf, port, type Settings, urls } from '@pto/config';
import { databaseSettings } from '@pto/database';
import { rpcServerSettings } from '@pto/rpc';

export const settings = {
  ...databaseSettings,
  /** Mutual TLS, and the host of the gRPC server. */
  ...rpcServerSettings,
  /** There is no courier in production (decision 64): the process does not start there. */
  environment: oneOf('ENVIRONMENT', ['sandbox']),
  grpcPort: port('GRPC_PORT', { fallback: 50051 }),
  /** Internal URLs of orders, whose commands move the orders. */
  ordersUrls: urls('ORDERS_URL', ['https']),
  /** 32 bytes, from which the keys of the drivers' phones follow. */
  deviceKey: base64Key('COURIER_DEVICE_KEY'),
};

export type CourierSettings = Settings<typeof settings>;
