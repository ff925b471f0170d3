import { busSettings } from '@pto/bus';
import { list, port, type Settings, text, urls } from '@pto/config';
import { databaseSettings } from '@pto/database';
import { rpcServerSettings } from '@pto/rpc';
import { parseSeed } from './log/open-signer.ts';

export const settings = {
  ...databaseSettings,
  ...busSettings,
  ...rpcServerSettings,
  grpcPort: port('GRPC_PORT', { fallback: 50051 }),
  /** Orders' internal ports: evidence of each chain's head. */
  ordersUrls: urls('ORDERS_URL', ['http', 'https']),
  /** The log's name, for ever: a host and path of ours without a scheme (C2SP tlog-checkpoint). */
  logOrigin: text('CUSTODY_LOG_ORIGIN'),
  /** Ed25519 seeds, 32 bytes each in base64, the log's own first; or a file with one a line. */
  signingKeys: { ...list('CUSTODY_SIGNING_KEYS', parseSeed, { fallback: [] }), secret: true },
  signingKeysFile: text('CUSTODY_SIGNING_KEYS_FILE', { fallback: '' }),
  /** Where checkpoints are kept outside of the database's trust. */
  anchorFile: text('CUSTODY_ANCHOR_FILE'),
};

export type CustodySettings = Settings<typeof settings>;
