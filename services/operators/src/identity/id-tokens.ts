import { Failure } from '@pto/errors';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { checkOidc, type OidcSettings } from '../config.ts';
import { nameOf, rightsOf, rolesOf } from './claims.ts';
import type { SignedIn } from './people.ts';
import { providerKeys, unavailable } from './provider-keys.ts';

/**
 * Accepted signature algorithms, all asymmetric. With HS256 the public key would serve as the
 * secret, and `none` has no signature.
 */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'EdDSA',
];
const clockToleranceSeconds = 30;
/** Types of tokens that are not ID tokens (RFC 9068, OpenID Connect Back-Channel Logout). */
const otherTypes = ['at+jwt', 'application/at+jwt', 'logout+jwt'];

/**
 * Verifies an ID token.
 * @throws Failure OPERATOR_NOT_AUTHENTICATED, or SERVICE_UNAVAILABLE if the keys cannot be read.
 */
export type VerifyIdToken = (
  idToken: string,
) => Promise<SignedIn & { readonly expiresAt: Date; readonly signIn: string }>;

/**
 * Returns a function that verifies the configured provider's ID tokens; null if no provider is
 * configured.
 * @throws ConfigError if the settings are not consistent.
 */
export const idTokenVerifier = (settings: OidcSettings): VerifyIdToken | null => {
  checkOidc(settings);
  const { oidcIssuer: issuer, oidcClientId: clientId } = settings;
  if (issuer === '') return null;
  const audience = settings.oidcAudience || clientId;
  const maxAgeSeconds = Math.ceil(settings.oidcMaxAgeMs / 1000);
  const keys = providerKeys(issuer);
  return async (idToken) => {
    const { payload, protectedHeader } = await jwtVerify(idToken, keys, {
      issuer,
      audience,
      algorithms,
      clockTolerance: clockToleranceSeconds,
      maxTokenAge: maxAgeSeconds,
      requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
    }).catch((error) => {
      throw asFailure(error);
    });
    if (otherTypes.includes(protectedHeader.typ?.toLowerCase() ?? ''))
      throw rejection('is not an ID token');
    if (!isForUs(payload, [clientId, audience])) throw rejection('was issued to another client');
    if (!payload.sub || payload.sub.length > 255) throw rejection('has no usable subject');
    return {
      issuer,
      subject: payload.sub,
      name: nameOf(payload),
      ...rightsOf(
        payload,
        rolesOf(payload, settings.oidcRolesClaim, settings.oidcRoles),
        settings.oidcCarrierClaim,
      ),
      expiresAt: endOf(payload, maxAgeSeconds),
      // all ID tokens of one sign-in have its nonce
      signIn: typeof payload.nonce === 'string' ? payload.nonce : idToken,
    };
  };
};

/**
 * Returns whether the authorized party (`azp`) is one of this deployment's clients. `azp` may be
 * absent if the token has one audience (OpenID Connect Core, 3.1.3.7).
 */
const isForUs = ({ aud, azp }: JWTPayload, ours: readonly string[]): boolean =>
  azp === undefined ? !Array.isArray(aud) || aud.length === 1 : ours.includes(azp as string);

const endOf = ({ exp = 0, iat = 0 }: JWTPayload, maxAgeSeconds: number): Date =>
  new Date(Math.min(exp, iat + maxAgeSeconds) * 1000);

const rejection = (reason: string, cause?: unknown): Failure =>
  new Failure(
    'OPERATOR_NOT_AUTHENTICATED',
    `The ID token ${reason}. Run \`operator login\` again.`,
    { cause },
  );

const asFailure = (error: unknown): Failure => {
  if (error instanceof Failure) return error;
  if (error instanceof errors.JWTExpired) return rejection('has expired', error);
  if (error instanceof errors.JWTClaimValidationFailed)
    return rejection(`has an unexpected claim \`${error.claim}\``, error);
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid)
    return unavailable(error);
  if (error instanceof errors.JWKSNoMatchingKey)
    return rejection('is signed with a key that the provider does not publish', error);
  if (error instanceof errors.JOSEAlgNotAllowed)
    return rejection('is signed with an algorithm that is not allowed', error);
  if (error instanceof errors.JWTInvalid || error instanceof errors.JWSInvalid)
    return rejection('is malformed', error);
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return rejection('has a wrong signature', error);
  if (error instanceof errors.JOSEError && error.code !== 'ERR_JOSE_GENERIC')
    return rejection('cannot be verified', error);
  return unavailable(error);
};
