import { busSettings } from '@pto/bus';
import { base64Key, port, type Settings, text, urls } from '@pto/config';
import { databaseSettings } from '@pto/database';
import { rpcServerSettings } from '@pto/rpc';

export const settings = {
  ...databaseSettings,
  ...busSettings,
  ...rpcServerSettings,
  grpcPort: port('GRPC_PORT', { fallback: 50051 }),
  /** Orders' internal ports: evidence of each chain's head. */
  ordersUrls: urls('ORDERS_URL', ['http', 'https']),
  /** The log's name, for ever: a host and path of ours without a scheme (C2SP tlog-checkpoint). */
  logOrigin: text('CUSTODY_LOG_ORIGIN'),
  /** Ed25519 seed, 32 bytes in base64; or a file that holds it. */
  signingKey: base64Key('CUSTODY_SIGNING_KEY', { fallback: Buffer.alloc(0) }),
  signingKeyFile: text('CUSTODY_SIGNING_KEY_FILE', { fallback: '' }),
  /** Where checkpoints are kept outside of the database's trust. */
  anchorFile: text('CUSTODY_ANCHOR_FILE'),
};

export type CustodySettings = Settings<typeof settings>;
