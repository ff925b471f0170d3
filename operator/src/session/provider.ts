import { Failure } from '@pto/errors';
import * as oidc from 'openid-client';
import type { Session } from './session-file.ts';

const requestTimeoutSeconds = 10;
/** An ID token is renewed this long before the gateway would reject it. */
const renewBeforeMs = 60_000;
/** The longest wait and the fastest poll that a provider can ask for. */
const codeLifetimeMaxSeconds = 3600;
const pollIntervalMinSeconds = 1;
/** Interval if the provider states none (RFC 8628, 3.2). */
const pollIntervalSeconds = 5;

const notSignedIn = (message: string, cause?: unknown): Failure =>
  new Failure('OPERATOR_NOT_AUTHENTICATED', message, { cause });

const noResponse =
  (issuer: string) =>
  (error: unknown): never => {
    const message = `The OpenID provider ${issuer} did not respond: ${reasonOf(error)}. Try again.`;
    throw new Failure('SERVICE_UNAVAILABLE', message, { cause: error });
  };

/** Throws the provider's own error as a failed sign-in, and all others as a missing response. */
const failed =
  (issuer: string, what: string) =>
  (error: unknown): never => {
    if (!(error instanceof oidc.ResponseBodyError)) return noResponse(issuer)(error);
    throw notSignedIn(`${what}: ${reasonOf(error)}. Run \`operator login\` again.`, error);
  };

/**
 * Reads the provider's configuration. Only loopback addresses may use plain HTTP.
 * @throws Failure SERVICE_UNAVAILABLE if the configuration cannot be read.
 */
const discover = (issuer: string, clientId: string): Promise<oidc.Configuration> => {
  const url = new URL(issuer);
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  const discovery = oidc.discovery(url, clientId, undefined, oidc.None(), {
    timeout: requestTimeoutSeconds,
    execute: url.protocol === 'http:' && loopback ? [oidc.allowInsecureRequests] : [],
  });
  return discovery.catch(noResponse(issuer));
};

type Tokens = Awaited<ReturnType<typeof oidc.refreshTokenGrant>>;
type Kind = Pick<Session, 'operatorUrl' | 'issuer' | 'clientId' | 'maxAgeSeconds'>;

const sessionOf = (kind: Kind, tokens: Tokens, refreshToken?: string): Session => {
  const claims = tokens.claims();
  if (!tokens.id_token || !claims)
    throw notSignedIn('The OpenID provider issued no ID token. Is `openid` among the scopes?');
  const issuedAt = Math.min(claims.iat, Date.now() / 1000); // a later one has no known age
  const end = Math.max(0, Math.min(claims.exp, issuedAt + kind.maxAgeSeconds));
  return {
    ...kind,
    idToken: tokens.id_token,
    refreshToken: tokens.refresh_token ?? refreshToken,
    expiresAt: new Date(end * 1000).toISOString(),
  };
};

/** The code that a person enters at the provider, the page for it, and the code's lifetime. */
interface DeviceCode {
  readonly url: string;
  readonly code: string;
  readonly expiresInSeconds: number;
}

/**
 * Signs a person in by the device authorization grant (RFC 8628).
 * @param show is called one time, with the code that the person must enter.
 * @throws Failure OPERATOR_NOT_AUTHENTICATED if the person denied the sign-in, the code expired, or
 *   the provider issued no ID token; SERVICE_UNAVAILABLE if the provider does not respond as it must.
 */
export const signIn = async (
  kind: Kind,
  scopes: readonly string[],
  show: (device: DeviceCode) => void,
): Promise<Session> => {
  const config = await discover(kind.issuer, kind.clientId);
  const scope = scopes.join(' ');
  const onFailure = failed(kind.issuer, 'The sign-in did not succeed');
  const device = await oidc.initiateDeviceAuthorization(config, { scope }).catch(onFailure);
  const expiresInSeconds = Math.min(device.expires_in, codeLifetimeMaxSeconds);
  show({
    url: device.verification_uri_complete ?? device.verification_uri,
    code: device.user_code,
    expiresInSeconds,
  });
  const interval = Math.max(device.interval ?? pollIntervalSeconds, pollIntervalMinSeconds);
  const signal = AbortSignal.timeout(Math.ceil(expiresInSeconds * 1000));
  const tokens = await oidc
    .pollDeviceAuthorizationGrant(config, { ...device, interval }, undefined, { signal })
    .catch((error) => {
      if (!signal.aborted) return onFailure(error);
      throw notSignedIn('The code expired. Run `operator login` again.', error);
    });
  return sessionOf(kind, tokens);
};

export const isFresh = ({ expiresAt }: Session): boolean =>
  Date.parse(expiresAt) - renewBeforeMs > Date.now();

/**
 * Returns the session with a new ID token.
 * @throws Failure OPERATOR_NOT_AUTHENTICATED if the session has no refresh token or the provider
 *   rejects it, SERVICE_UNAVAILABLE if the provider does not respond.
 */
export const refresh = async (session: Session): Promise<Session> => {
  if (!session.refreshToken)
    throw notSignedIn('The sign-in has expired. Run `operator login` again.');
  const config = await discover(session.issuer, session.clientId);
  const { operatorUrl, issuer, clientId, maxAgeSeconds, refreshToken } = session;
  const tokens = await oidc
    .refreshTokenGrant(config, refreshToken)
    .catch(failed(issuer, 'The sign-in has ended'));
  return sessionOf({ operatorUrl, issuer, clientId, maxAgeSeconds }, tokens, refreshToken);
};

/**
 * Revokes the refresh token at the provider, if the session has one and the provider supports it.
 */
export const revoke = async ({ issuer, clientId, refreshToken }: Session): Promise<void> => {
  if (!refreshToken) return;
  const config = await discover(issuer, clientId);
  if (config.serverMetadata().revocation_endpoint)
    await oidc.tokenRevocation(config, refreshToken, { token_type_hint: 'refresh_token' });
};

/** Returns the provider's error, or the message of a failed connection. */
const reasonOf = (error: unknown): string =>
  error instanceof oidc.ResponseBodyError
    ? (error.error_description ?? error.error)
    : (error as Error).message;
