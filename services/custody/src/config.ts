import { busSettings } from '@pto/bus';
import { port, type Settings, urls } from '@pto/config';
import { databaseSettings } from '@pto/database';
import { rpcServerSettings } from '@pto/rpc';

export const settings = {
  ...databaseSettings,
  ...busSettings,
  ...rpcServerSettings,
  grpcPort: port('GRPC_PORT', { fallback: 50051 }),
  /** Orders' internal ports: evidence of each chain's head. */
  ordersUrls: urls('ORDERS_URL', ['http', 'https']),
};

export type CustodySettings = Settings<typeof settings>;
