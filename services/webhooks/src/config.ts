import { busSettings } from '@pto/bus';
import {
  type Declaration,
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
import { databaseSettings, withoutSequentialScans } from '@pto/database';
import { mailSettings } from '@pto/mail';
import { messageKeys } from '@pto/message-authentication';
import { rpcServerSettings } from '@pto/rpc';
import { sealingKeys } from '@pto/sealing';
import { parseAllowedRange } from './egress/address-policy.ts';
import { type EgressProxy, parseProxy } from './egress/tunnel.ts';

const hourMs = 3_600_000;

/** Declares the five waits between the six attempts of contract 6.6 (decision 38). */
const retryWaits = (name: string): Declaration<readonly number[]> => {
  const durations = list(name, parseDurationMs);
  return {
    name,
    parse: (value) => {
      const waits = durations.parse(value);
      if (waits.length !== 5)
        throw new Error('expected five durations, such as 1m,5m,30m,4h,19h24m');
      return waits;
    },
    fallback: [60_000, 300_000, 1_800_000, 4 * hourMs, 19.4 * hourMs],
  };
};

const egressProxy = (name: string): Declaration<EgressProxy | undefined> => ({
  name,
  parse: parseProxy,
  fallback: undefined,
  secret: true,
});

export const settings = {
  ...databaseSettings,
  ...busSettings,
  ...rpcServerSettings,
  ...mailSettings,
  grpcPort: port('GRPC_PORT', { fallback: 50051 }),
  /** Internal URLs of the operators service, which returns an organization's administrators. */
  accessUrls: urls('ACCESS_URL', ['https']),
  environment: oneOf('ENVIRONMENT', ['production', 'sandbox']),
  /** Base URL of the API for `links.order` in payloads; ends in `/api/partner/v1`. */
  publicBaseUrl: url('PUBLIC_BASE_URL', ['http', 'https']),
  /** Keys that verify custody events (decision 55). */
  custodyKeys: messageKeys('CUSTODY_WEBHOOKS_KEYS'),
  secretKeys: sealingKeys('WEBHOOKS_SECRET_KEYS'),
  retryWaitsMs: retryWaits('WEBHOOKS_RETRY_WAITS'),
  attemptTimeoutMs: durationMs('WEBHOOKS_ATTEMPT_TIMEOUT', { fallback: 10_000 }),
  connectTimeoutMs: durationMs('WEBHOOKS_CONNECT_TIMEOUT', { fallback: 3000 }),
  /**
   * Maximum number of handshakes and test requests per minute of all organizations together to one
   * host, without those that a nonce has proven.
   */
  probesPerHostPerMinute: integer('WEBHOOKS_PROBES_PER_HOST_PER_MINUTE', { fallback: 600 }),
  brokenFailures: integer('WEBHOOKS_BROKEN_FAILURES', { fallback: 100 }),
  brokenMinAgeMs: durationMs('WEBHOOKS_BROKEN_MIN_AGE', { fallback: hourMs }),
  brokenSilenceMs: durationMs('WEBHOOKS_BROKEN_SILENCE', { fallback: 72 * hourMs }),
  egressAllow: list('WEBHOOKS_EGRESS_ALLOW', parseAllowedRange, { fallback: [] }),
  /** Proxy for all requests to partners. `HTTPS_PROXY` and similar variables have no effect. */
  egressProxy: egressProxy('WEBHOOKS_EGRESS_PROXY'),
  caFile: text('WEBHOOKS_CA_FILE', { fallback: '' }),
  /** PEM files of the certificate that webhooks presents to receivers: both or none. */
  clientCertFile: text('WEBHOOKS_CLIENT_CERT_FILE', { fallback: '' }),
  clientKeyFile: text('WEBHOOKS_CLIENT_KEY_FILE', { fallback: '' }),
};

export type WebhooksSettings = Settings<typeof settings>;

/**
 * PostgreSQL settings for this service's connections: the planner uses index scans and nested loops
 * only. A queue changes faster than its statistics. With outdated statistics the planner reads and
 * hashes the complete queue where an index scan of eight rows suffices (30 ms instead of 3 ms for
 * 10,000 rows). The statements of this service rarely read one key twice, so memoize is off as
 * well.
 */
export const walkIndexes: Readonly<Record<string, string>> = {
  ...withoutSequentialScans,
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_memoize: 'off',
};
