import { BlockList } from 'node:net';
import { cidrs, durationMs, integer, oneOf, port, type Settings, text, url } from '@pto/config';
import { databaseSettings } from '@pto/database';
import { rpcClientSettings } from '@pto/rpc';

export const settings = {
  ...databaseSettings,
  ...rpcClientSettings,
  host: text('BIND_HOST', { fallback: '0.0.0.0' }),
  environment: oneOf('ENVIRONMENT', ['production', 'sandbox']),
  httpPort: port('HTTP_PORT', { fallback: 8080 }),
  /** Where partners reach the API, with its path, for documents; empty: where they are read. */
  publicBaseUrl: url('PUBLIC_BASE_URL', ['http', 'https'], { fallback: '' }),
  /** Where partners get support, in the OpenAPI document's `info.contact`; empty: not stated. */
  supportUrl: url('SUPPORT_URL', ['http', 'https'], { fallback: '' }),
  supportEmail: text('SUPPORT_EMAIL', { fallback: '' }),
  /** Folder of the built documentation site; empty: the gateway shows its own pages alone. */
  siteDir: text('GATEWAY_SITE_DIR', { fallback: '' }),
  /** Empty: limits are kept in memory. */
  redisUrl: url('REDIS_URL', ['redis', 'rediss'], { fallback: '' }),
  replicas: integer('GATEWAY_REPLICAS', { fallback: 1, max: 1000 }),
  /** For how long nobody may have asked before one that stops closes its clients' connections. */
  drainMs: durationMs('GATEWAY_DRAIN', { fallback: 250 }),
  readsPerMinute: integer('GATEWAY_READS_PER_MINUTE', { fallback: 600 }),
  writesPerMinute: integer('GATEWAY_WRITES_PER_MINUTE', { fallback: 60 }),
  failedAuthPerMinute: integer('GATEWAY_FAILED_AUTH_PER_MINUTE', { fallback: 60 }),
  /** Of a key, answered 403, 404 of a path or 405 (docs/decisions/rejected-requests.md). */
  rejectedPerMinute: integer('GATEWAY_REJECTED_PER_MINUTE', { fallback: 120 }),
  /** Of what needs no key, per client address. */
  openPerMinute: integer('GATEWAY_OPEN_PER_MINUTE', { fallback: 600 }),
  /** Of one organization, in this replica; more wait up to 1 s (decision 56). */
  requestsInFlight: integer('GATEWAY_REQUESTS_IN_FLIGHT', { fallback: 8, max: 10_000 }),
  /** Of one organization, in this replica; 0: `defaultBytesPerSecond`. */
  bytesPerSecond: integer('GATEWAY_BYTES_PER_SECOND', { fallback: 0, min: 0 }),
  /** A 429 leaves this long after its request came (docs/decisions/byte-budget.md). */
  rejectionHoldMs: durationMs('GATEWAY_REJECTION_HOLD', { fallback: 1000 }),
  /** A response that is not sent after this time ends with its connection. */
  sendTimeoutMs: durationMs('GATEWAY_SEND_TIMEOUT', { fallback: 60_000 }),
  /** Open connections of partners in this replica, and of them from one address. */
  connectionsMax: integer('GATEWAY_CONNECTIONS', { fallback: 2000 }),
  connectionsPerAddress: integer('GATEWAY_CONNECTIONS_PER_ADDRESS', { fallback: 500 }),
  trustedProxies: cidrs('GATEWAY_TRUSTED_PROXIES', { fallback: new BlockList() }),
  ordersAddress: text('ORDERS_ADDRESS'),
  custodyAddress: text('CUSTODY_ADDRESS'),
  webhooksAddress: text('WEBHOOKS_ADDRESS'),
};

export type GatewaySettings = Settings<typeof settings>;

/** 512 KiB for each 10 reads or 1 write that a key may send per second (docs/decisions/byte-budget.md). */
export const defaultBytesPerSecond = ({
  readsPerMinute,
  writesPerMinute,
}: Pick<GatewaySettings, 'readsPerMinute' | 'writesPerMinute'>): number =>
  Math.ceil(Math.max(readsPerMinute / 600, writesPerMinute / 60) * 512 * 1024);
