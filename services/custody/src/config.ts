import { busSettings } from '@pto/bus';
import { durationMs, list, port, type Settings, text, urls } from '@pto/config';
import { databaseSettings } from '@pto/database';
import { messageKeys, withoutProof } from '@pto/message-authentication';
import { rpcServerSettings } from '@pto/rpc';
import { parseSeed } from './notes/open-signer.ts';
import { parseWitness } from './witness/witness-setting.ts';

/** Where checkpoints are kept outside of the database's trust: in a file, or in object storage. */
export const anchorSettings = {
  anchorFile: text('CUSTODY_ANCHOR_FILE', { fallback: '' }),
  /** `s3://bucket/prefix`; credentials as the store's own tools take them. */
  anchorBucket: text('CUSTODY_ANCHOR_BUCKET', { fallback: '' }),
  /** The address of a store that is not Amazon's. */
  anchorEndpoint: text('CUSTODY_ANCHOR_ENDPOINT', { fallback: '' }),
  anchorRetentionMs: durationMs('CUSTODY_ANCHOR_RETENTION', { fallback: 3650 * 86_400_000 }),
};

/** The log's name and the keys that sign for it. */
export const signingSettings = {
  /** The log's name, forever: a host and path of ours without a scheme (C2SP tlog-checkpoint). */
  logOrigin: text('CUSTODY_LOG_ORIGIN'),
  /** Ed25519 seeds, 32 bytes each in base64, the log's own first; or a file with one a line. */
  signingKeys: { ...list('CUSTODY_SIGNING_KEYS', parseSeed, { fallback: [] }), secret: true },
  signingKeysFile: text('CUSTODY_SIGNING_KEYS_FILE', { fallback: '' }),
};

export const settings = {
  ...databaseSettings,
  ...busSettings,
  ...rpcServerSettings,
  grpcPort: port('GRPC_PORT', { fallback: 50051 }),
  /** Verify order events, and sign custody events for orders (decision 55). */
  ordersKeys: messageKeys('ORDERS_CUSTODY_KEYS'),
  /** Sign custody events for webhooks. */
  webhooksKeys: messageKeys('CUSTODY_WEBHOOKS_KEYS'),
  withoutProof,
  /** Orders' internal ports: evidence of each chain's head. */
  ordersUrls: urls('ORDERS_URL', ['https']),
  ...signingSettings,
  /** Least time between two checkpoints; each is one object of the anchor. */
  checkpointIntervalMs: durationMs('CUSTODY_CHECKPOINT_INTERVAL', { fallback: 1000 }),
  /** `VKEY@URL` for each witness: its key, and the prefix of its `/add-checkpoint`. */
  witnesses: list('CUSTODY_WITNESSES', parseWitness, { fallback: [] }),
  ...anchorSettings,
};

export type CustodySettings = Settings<typeof settings>;
