import { BlockList } from 'node:net';
import {
  byCell,
  cidrs,
  durationMs,
  integer,
  list,
  oneOf,
  parseDurationMs,
  port,
  type Settings,
  text,
  url,
  urls,
} from '@pto/config';
import { databaseSettings } from '@pto/database';
import { httpTimings } from '@pto/lifecycle';
import { rpcClientSettings } from '@pto/rpc';
import { parseNetwork } from './site/connectivity/network.ts';

/** The operators service owns and migrates the database `access`; the gateway reads it. */
const { migrationDatabaseUrl: _, ...readerSettings } = databaseSettings;

export const settings = {
  ...readerSettings,
  ...rpcClientSettings,
  host: text('BIND_HOST', { fallback: '0.0.0.0' }),
  environment: oneOf('ENVIRONMENT', ['production', 'sandbox']),
  httpPort: port('HTTP_PORT', { fallback: 8080 }),
  /**
   * Public URL of the API with its path, for documents. Empty: documents use the URL from which
   * they are read.
   */
  publicBaseUrl: url('PUBLIC_BASE_URL', ['http', 'https'], { fallback: '' }),
  /** Web address of support, in the OpenAPI document's `info.contact`; empty: not stated. */
  supportUrl: url('SUPPORT_URL', ['http', 'https'], { fallback: '' }),
  supportEmail: text('SUPPORT_EMAIL', { fallback: '' }),
  /** Whom partners call, such as an e-mail address and a telephone number; empty: not stated. */
  supportContact: text('SUPPORT_CONTACT', { fallback: '' }),
  /** Networks from which webhooks calls receivers, as partners see them; empty: not stated. */
  egressAddresses: list('EGRESS_ADDRESSES', parseNetwork, { fallback: [] }),
  /** PEM file of the present and the next client certificates, without keys; empty: not stated. */
  connectivityCertificatesFile: text('CONNECTIVITY_CERTIFICATES_FILE', { fallback: '' }),
  /** URL of the Prometheus that measures the objectives; empty: /status shows no shares. */
  statusPrometheusUrl: url('STATUS_PROMETHEUS_URL', ['http', 'https'], { fallback: '' }),
  /** Value of the label `namespace` of this environment's series; empty: any. */
  statusPrometheusNamespace: text('STATUS_PROMETHEUS_NAMESPACE', { fallback: '' }),
  /** Folder of the built documentation site; empty: no site. */
  siteDir: text('GATEWAY_SITE_DIR', { fallback: '' }),
  /** URL of the Redis that counts requests; empty: each replica counts in its own memory. */
  redisUrl: url('REDIS_URL', ['redis', 'rediss'], { fallback: '' }),
  replicas: integer('GATEWAY_REPLICAS', { fallback: 1, max: 1000 }),
  /**
   * A stopping replica begins to close clients' connections when no request has arrived for this
   * long, and after 4 s at the latest.
   */
  drainMs: durationMs('GATEWAY_DRAIN', { fallback: 250 }),
  readsPerMinute: integer('GATEWAY_READS_PER_MINUTE', { fallback: 600 }),
  writesPerMinute: integer('GATEWAY_WRITES_PER_MINUTE', { fallback: 60 }),
  failedAuthPerMinute: integer('GATEWAY_FAILED_AUTH_PER_MINUTE', { fallback: 60 }),
  /**
   * Maximum number of rejected requests per key and minute: 403, 404 for an unknown path, 405, and
   * every OPTIONS request (docs/decisions/limits.md).
   */
  rejectedPerMinute: integer('GATEWAY_REJECTED_PER_MINUTE', { fallback: 120 }),
  /** Requests per minute and client address to paths that need no key. */
  openPerMinute: integer('GATEWAY_OPEN_PER_MINUTE', { fallback: 600 }),
  /**
   * Requests of one organization that this replica handles at the same time in each lane
   * (admission/admission.ts); further requests wait (decision 66).
   */
  requestsInFlight: integer('GATEWAY_REQUESTS_IN_FLIGHT', { fallback: 8, max: 10_000 }),
  /**
   * Minimum time from a request's arrival to its 429 response
   * (docs/decisions/limits.md); `0`: no delay.
   */
  rejectionHoldMs: {
    ...durationMs('GATEWAY_REJECTION_HOLD', { fallback: 1000 }),
    parse: (text: string) => (text === '0' ? 0 : parseDurationMs(text)),
  },
  /**
   * Maximum number of open connections of partners in this replica. `connectionsPerAddress` is the
   * maximum for one client address.
   */
  connectionsMax: integer('GATEWAY_CONNECTIONS', { fallback: 2000 }),
  connectionsPerAddress: integer('GATEWAY_CONNECTIONS_PER_ADDRESS', { fallback: 500 }),
  trustedProxies: cidrs('GATEWAY_TRUSTED_PROXIES', { fallback: new BlockList() }),
  /** Addresses of the services, for each cell of the installation: `main=…;north=…`. */
  ordersAddress: byCell(text('ORDERS_ADDRESS')),
  custodyAddress: byCell(text('CUSTODY_ADDRESS')),
  webhooksAddress: byCell(text('WEBHOOKS_ADDRESS')),
  /** Internal URLs of the operators service, which has the links to the portal (decision 69). */
  accessUrls: urls('ACCESS_URL', ['https']),
  /** Required in the sandbox; there is no courier in production (decision 64). */
  courierAddress: byCell(text('COURIER_ADDRESS', { fallback: '' })),
};

export type GatewaySettings = Settings<typeof settings>;

/** Time limits of the gateway in ms. They are no settings; tests shorten them. */
export const gatewayTimings = {
  ...httpTimings,
  /**
   * A request that waits for its slot or for memory is not read meanwhile: 20 s
   * (admission.ts), then `bodyMs`. A still connection is closed later than the 14 s in which a
   * route that waits for a receiver responds.
   */
  requestMs: 105_000,
  /**
   * Maximum time until a body is received completely, from when the gateway reads it: the 60 bodies of
   * a key's writes in a minute, each of 256 KiB, arrive together in 63 s over 2 Mbit/s (decision 66).
   */
  bodyMs: 80_000,
  /** Maximum time without a byte of a body that the gateway reads. */
  bodyStillMs: 10_000,
  /** If a response is not sent completely within this time, its connection is closed. */
  sendMs: 60_000,
  /** Maximum duration of an operation after it has its slot, unless its route has another one. */
  operationMs: 10_000,
};

export type Timings = Readonly<typeof gatewayTimings>;
