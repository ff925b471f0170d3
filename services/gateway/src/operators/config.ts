import { BlockList } from 'node:net';
import { cidrs, integer, oneOf, port, type Settings, text, url, urls } from '@pto/config';
import { databaseSettings } from '@pto/database';
import { rpcServerSettings } from '@pto/rpc';
import { oidcSettings } from './oidc/settings.ts';

export const operatorGatewaySettings = {
  /** DATABASE_URL is of the role `access_operators`. */
  ...databaseSettings,
  /** The wires to and from the other services. */
  ...rpcServerSettings,
  ...oidcSettings,
  environment: oneOf('ENVIRONMENT', ['production', 'sandbox']),
  /** HTTPS, for the operators' command line. */
  operatorsPort: port('OPERATORS_PORT', { fallback: 8443 }),
  /** The server's certificate on that port; operators have none. */
  operatorsCertFile: text('OPERATORS_TLS_CERT_FILE'),
  operatorsKeyFile: text('OPERATORS_TLS_KEY_FILE'),
  /** Empty: other replicas learn of changed keys within 5 s. */
  redisUrl: url('REDIS_URL', ['redis', 'rediss'], { fallback: '' }),
  ordersUrls: urls('ORDERS_URL', ['https']),
  custodyUrls: urls('CUSTODY_URL', ['https']),
  webhooksUrls: urls('WEBHOOKS_URL', ['https']),
  /** Failed sign-ins per client address; all addresses together have 20 times as many. */
  failedAuthPerMinute: integer('OPERATORS_FAILED_AUTH_PER_MINUTE', { fallback: 30 }),
  connectionsMax: integer('OPERATORS_CONNECTIONS_MAX', { fallback: 200 }),
  /** CIDRs whose `X-Forwarded-For` counts. */
  trustedProxies: cidrs('OPERATORS_TRUSTED_PROXIES', { fallback: new BlockList() }),
};

export type OperatorGatewaySettings = Settings<typeof operatorGatewaySettings>;
