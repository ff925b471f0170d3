import { BlockList } from 'node:net';
import { cidrs, integer, oneOf, port, type Settings, text, url, urls } from '@pto/config';
import { databaseSettings } from '@pto/database';
import { rpcServerSettings } from '@pto/rpc';
import { oidcSettings } from './oidc/settings.ts';

export const operatorGatewaySettings = {
  /** DATABASE_URL connects as the role `access_operators`. */
  ...databaseSettings,
  /** Mutual TLS, and host and port of the Connect server. */
  ...rpcServerSettings,
  ...oidcSettings,
  environment: oneOf('ENVIRONMENT', ['production', 'sandbox']),
  /** Port of the HTTPS server for the operators' command line. */
  operatorsPort: port('OPERATORS_PORT', { fallback: 8443 }),
  /** Files of the server certificate on that port. Operators need no client certificate. */
  operatorsCertFile: text('OPERATORS_TLS_CERT_FILE'),
  operatorsKeyFile: text('OPERATORS_TLS_KEY_FILE'),
  /**
   * URL of the Redis that notifies the partners' gateways of changed keys. Empty: a change takes
   * effect there within 5 s.
   */
  redisUrl: url('REDIS_URL', ['redis', 'rediss'], { fallback: '' }),
  ordersUrls: urls('ORDERS_URL', ['https']),
  custodyUrls: urls('CUSTODY_URL', ['https']),
  webhooksUrls: urls('WEBHOOKS_URL', ['https']),
  /**
   * Failed sign-ins per minute and client address. All addresses together may have 20 times as
   * many.
   */
  failedAuthPerMinute: integer('OPERATORS_FAILED_AUTH_PER_MINUTE', { fallback: 30 }),
  connectionsMax: integer('OPERATORS_CONNECTIONS_MAX', { fallback: 200 }),
  /** CIDRs of the proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: cidrs('OPERATORS_TRUSTED_PROXIES', { fallback: new BlockList() }),
};

export type OperatorGatewaySettings = Settings<typeof operatorGatewaySettings>;
