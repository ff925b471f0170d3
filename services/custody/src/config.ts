import { busSettings } from '@pto/bus';
import { durationMs, list, port, type Settings, text, urls } from '@pto/config';
import { databaseSettings, replicaSetting } from '@pto/database';
import { messageKeys } from '@pto/message-authentication';
import { rpcServerSettings } from '@pto/rpc';
import { parseKey } from './log/note-signer.ts';
import { parseWitness } from './witness/witness-setting.ts';

/**
 * Settings of the anchor, which stores checkpoints outside the database: in a file, or in object
 * storage.
 */
export const anchorSettings = {
  anchorFile: text('CUSTODY_ANCHOR_FILE', { fallback: '' }),
  /**
   * Bucket and prefix, as `s3://bucket/prefix`. The storage's own environment variables contain the
   * credentials.
   */
  anchorBucket: text('CUSTODY_ANCHOR_BUCKET', { fallback: '' }),
  /** Address of the object storage; empty for Amazon S3. */
  anchorEndpoint: text('CUSTODY_ANCHOR_ENDPOINT', { fallback: '' }),
  /**
   * How long an hourly checkpoint can be neither changed nor removed, even by the bucket's owner.
   */
  anchorRetentionMs: durationMs('CUSTODY_ANCHOR_RETENTION', { fallback: 3650 * 86_400_000 }),
};

export type AnchorSettings = Settings<typeof anchorSettings>;

/** The log's permanent name: a host and path without a scheme (C2SP tlog-checkpoint). */
const logOrigin = text('CUSTODY_LOG_ORIGIN');

/** Settings of the process that registers the log's keys as the owner of the database. */
export const publicKeySettings = {
  logOrigin,
  /**
   * Ed25519 public keys of 32 bytes in base64, the public halves of all signing keys. Empty: the
   * registered keys stay.
   */
  publicKeys: list('CUSTODY_PUBLIC_KEYS', parseKey, { fallback: [] }),
};

/** Settings of the log's name and signing keys. */
const signingSettings = {
  logOrigin,
  /**
   * Ed25519 seeds of 32 bytes in base64, the seed of the log's own key first. Alternatively,
   * CUSTODY_SIGNING_KEYS_FILE names a file with one seed per line.
   */
  signingKeys: { ...list('CUSTODY_SIGNING_KEYS', parseKey, { fallback: [] }), secret: true },
  signingKeysFile: text('CUSTODY_SIGNING_KEYS_FILE', { fallback: '' }),
};

export const settings = {
  ...databaseSettings,
  /** A replica that reads histories and proofs, if it has all that was committed. */
  replicaUrl: replicaSetting,
  ...busSettings,
  ...rpcServerSettings,
  grpcPort: port('GRPC_PORT', { fallback: 50051 }),
  /** Keys that verify order events, and that sign custody events for orders (decision 55). */
  ordersKeys: messageKeys('ORDERS_CUSTODY_KEYS'),
  /** Keys that sign custody events for webhooks. */
  webhooksKeys: messageKeys('CUSTODY_WEBHOOKS_KEYS'),
  /** URLs of orders' internal ports, for evidence of each chain's head. */
  ordersUrls: urls('ORDERS_URL', ['https']),
  ...signingSettings,
  /** Minimum time between two checkpoints. Each checkpoint is one object in the anchor. */
  checkpointIntervalMs: durationMs('CUSTODY_CHECKPOINT_INTERVAL', { fallback: 1000 }),
  /** `VKEY@URL` of each witness: its key, and the URL prefix before `/add-checkpoint`. */
  witnesses: list('CUSTODY_WITNESSES', parseWitness, { fallback: [] }),
  ...anchorSettings,
};

export type CustodySettings = Settings<typeof settings>;
