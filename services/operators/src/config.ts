import { BlockList } from 'node:net';
import {
  byCell,
  ConfigError,
  cidrs,
  durationMs,
  integer,
  list,
  oneOf,
  port,
  type Settings,
  text,
  url,
  urls,
} from '@pto/config';
import { databaseSettings } from '@pto/database';
import { type GrantedRole, grantedRoles } from '@pto/proto/callers';
import { rpcServerSettings } from '@pto/rpc';

/** Reads a mapping such as `admin=pto-admins`: members of the group have the role. */
const mapping = (part: string): { role: GrantedRole; group: string } => {
  const [name = '', group = ''] = part.split(/=(.*)/s).map((side) => side.trim());
  const role = grantedRoles.find((one) => one === name);
  if (role === undefined || group === '')
    throw new Error('expected ROLE=GROUP pairs, such as admin=pto-admins,support=pto-support');
  return { role, group };
};

/**
 * Settings of the OpenID provider with which operators sign in (decision 59). Without an issuer
 * there is no provider.
 */
export const oidcSettings = {
  oidcIssuer: url('OPERATORS_OIDC_ISSUER', ['https', 'http'], { fallback: '' }),
  oidcClientId: text('OPERATORS_OIDC_CLIENT_ID', { fallback: '' }),
  /** Required audience of ID tokens; empty: the client's id. */
  oidcAudience: text('OPERATORS_OIDC_AUDIENCE', { fallback: '' }),
  /** Name of the claim that lists groups, or a path with dots into objects. */
  oidcRolesClaim: text('OPERATORS_OIDC_ROLES_CLAIM', { fallback: 'groups' }),
  oidcRoles: list('OPERATORS_OIDC_ROLES', mapping, { fallback: [] }),
  /** Claim with the id of the carrier of a person with the role carrier. */
  oidcCarrierClaim: text('OPERATORS_OIDC_CARRIER_CLAIM', { fallback: 'carrier_id' }),
  /** Maximum age of an ID token. An older token is rejected, even before its own expiry. */
  oidcMaxAgeMs: durationMs('OPERATORS_OIDC_MAX_AGE', { fallback: 3_600_000 }),
  /** Scopes that the command line requests at sign-in. */
  oidcScopes: list('OPERATORS_OIDC_SCOPES', (scope) => scope, {
    fallback: ['openid', 'profile', 'email', 'offline_access'],
  }),
};

export type OidcSettings = Settings<typeof oidcSettings>;

export const settings = {
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
  /**
   * URL of the partners' API, whose host has the page /verify: certificates that the console makes
   * have its QR code. Empty: they have none.
   */
  publicBaseUrl: url('PUBLIC_BASE_URL', ['http', 'https'], { fallback: '' }),
  /** URL at which browsers open the portal (decision 69); empty: there is none. */
  portalUrl: url('OPERATORS_PORTAL_URL', ['https', 'http'], { fallback: '' }),
  /** Internal URLs of the services, for each cell of the installation: `main=…;north=…`. */
  ordersUrls: byCell(urls('ORDERS_URL', ['https'])),
  custodyUrls: byCell(urls('CUSTODY_URL', ['https'])),
  webhooksUrls: byCell(urls('WEBHOOKS_URL', ['https'])),
  /**
   * Failed sign-ins per minute and client address. All addresses together may have 20 times as
   * many.
   */
  failedAuthPerMinute: integer('OPERATORS_FAILED_AUTH_PER_MINUTE', { fallback: 30 }),
  /** CIDRs of the proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: cidrs('OPERATORS_TRUSTED_PROXIES', { fallback: new BlockList() }),
};

export type OperatorsSettings = Settings<typeof settings>;

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Verifies the OpenID settings if an issuer is set: the issuer's URL (HTTPS, or HTTP on loopback),
 * the client id and the roles. Without an issuer, the other OpenID settings are ignored.
 * @throws ConfigError that names the missing or invalid settings.
 */
export const checkOidc = (given: OidcSettings): void => {
  if (given.oidcIssuer === '') return;
  const { protocol, hostname } = new URL(given.oidcIssuer);
  const faults = [
    ...(protocol === 'http:' && !loopback.includes(hostname)
      ? ['OPERATORS_OIDC_ISSUER: expected https:// (http:// is for loopback addresses only)']
      : []),
    ...(given.oidcClientId === '' ? ['OPERATORS_OIDC_CLIENT_ID is required'] : []),
    ...(given.oidcRoles.length === 0 ? ['OPERATORS_OIDC_ROLES is required'] : []),
  ];
  if (faults.length > 0) throw new ConfigError(faults);
};
