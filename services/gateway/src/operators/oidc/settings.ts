import { ConfigError, durationMs, list, type Settings, text, url } from '@pto/config';
import type { OperatorRole } from '@pto/proto/callers';
import { isRole } from '../roles.ts';

/** Reads a mapping such as `admin=pto-admins`: members of the group have the role. */
const mapping = (part: string): { role: OperatorRole; group: string } => {
  const [role = '', group = ''] = part.split(/=(.*)/s).map((side) => side.trim());
  if (!isRole(role) || group === '')
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
  /** Maximum age of an ID token. An older token is rejected, even before its own expiry. */
  oidcMaxAgeMs: durationMs('OPERATORS_OIDC_MAX_AGE', { fallback: 3_600_000 }),
  /** Scopes that the command line requests at sign-in. */
  oidcScopes: list('OPERATORS_OIDC_SCOPES', (scope) => scope, {
    fallback: ['openid', 'profile', 'email', 'offline_access'],
  }),
};

export type OidcSettings = Settings<typeof oidcSettings>;

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Verifies the OpenID settings if an issuer is set: the issuer's URL (HTTPS, or HTTP on loopback),
 * the client id and the roles. Without an issuer, the other OpenID settings are ignored.
 * @throws ConfigError that names the missing or invalid settings.
 */
export const checkOidc = (settings: OidcSettings): void => {
  if (settings.oidcIssuer === '') return;
  const { protocol, hostname } = new URL(settings.oidcIssuer);
  const faults = [
    ...(protocol === 'http:' && !loopback.includes(hostname)
      ? ['OPERATORS_OIDC_ISSUER: expected https:// (http:// is for loopback addresses only)']
      : []),
    ...(settings.oidcClientId === '' ? ['OPERATORS_OIDC_CLIENT_ID is required'] : []),
    ...(settings.oidcRoles.length === 0 ? ['OPERATORS_OIDC_ROLES is required'] : []),
  ];
  if (faults.length > 0) throw new ConfigError(faults);
};
