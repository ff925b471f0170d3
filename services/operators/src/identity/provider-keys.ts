import { Failure } from '@pto/errors';
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';

const fetchTimeoutMs = 5000;
const documentMaxBytes = 1024 * 1024;
/** Minimum time between two reads of the provider's keys that unknown key ids cause, in ms. */
const cooldownMs = 5_000;
const keysMaxAgeMs = 600_000;

/**
 * Fetches a document of at most 1 MiB without a proxy: Node's fetch uses the environment's proxy
 * only with NODE_USE_ENV_PROXY. Redirects are errors.
 */
const plainFetch = async (url: string, init?: RequestInit): Promise<Response> => {
  const response = await fetch(url, {
    ...init,
    redirect: 'error',
    signal: AbortSignal.any([
      AbortSignal.timeout(fetchTimeoutMs),
      ...(init?.signal ? [init.signal] : []),
    ]),
  });
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > documentMaxBytes) throw new Error(`the document at ${url} is larger than 1 MiB`);
    parts.push(part);
  }
  return new Response(Buffer.concat(parts), { status: response.status });
};

/**
 * Returns a function that finds the provider's signing keys. It reads the discovery document
 * (OpenID Connect Discovery 1.0) at the first use. Keys are cached for at most 10 min, also while
 * the provider is unavailable.
 * @throws Failure SERVICE_UNAVAILABLE if the discovery document cannot be read.
 */
export const providerKeys = (issuer: string): JWTVerifyGetKey => {
  let keys: Promise<JWTVerifyGetKey> | undefined;
  return async (header, token) => {
    keys ??= discover(issuer);
    const found = keys;
    const get = await found.catch((cause) => {
      if (keys === found) keys = undefined; // the next request tries again
      throw unavailable(cause);
    });
    return get(header, token);
  };
};

const discover = async (issuer: string): Promise<JWTVerifyGetKey> => {
  const base = issuer.replace(/\/$/, '');
  const response = await plainFetch(`${base}/.well-known/openid-configuration`);
  if (!response.ok)
    throw new Error(`the discovery document was not served: status ${response.status}`);
  const document = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown };
  if (document.issuer !== issuer)
    throw new Error(`the discovery document names another issuer: ${String(document.issuer)}`);
  const url = new URL(String(document.jwks_uri));
  if (new URL(issuer).protocol === 'https:' && url.protocol !== 'https:')
    throw new Error('the discovery document names a jwks_uri without https');
  return createRemoteJWKSet(url, {
    timeoutDuration: fetchTimeoutMs,
    cooldownDuration: cooldownMs,
    cacheMaxAge: keysMaxAgeMs,
    [customFetch]: plainFetch as never,
  });
};

export const unavailable = (cause: unknown): Failure =>
  new Failure('SERVICE_UNAVAILABLE', 'The OpenID provider does not answer.', {
    retryAfterSeconds: 5,
    cause,
  });
