import { createServer } from 'node:http';
import { jest } from '@jest/globals';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import Provider from 'oidc-provider';

export const clientId = 'operator-command-line';

/** The settings with which the operators service knows a provider and its groups. */
export const providerSettings = (issuer: string) => ({
  OPERATORS_OIDC_ISSUER: issuer,
  OPERATORS_OIDC_CLIENT_ID: clientId,
  OPERATORS_OIDC_ROLES: 'admin=pto-admins,support=pto-support',
});

/** Groups of the accounts; the account's name is what is entered as login. */
const groups: Readonly<Record<string, readonly string[]>> = {
  ada: ['pto-admins', 'pto-support', 'staff'],
  grace: ['pto-support'],
  mallory: ['staff'],
};

export const newKey = async (kid: string) => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk: JWK = { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' };
  return { kid, privateKey, publicKey, jwk };
};
export type Key = Awaited<ReturnType<typeof newKey>>;

/** An OpenID provider on a loopback port: oidc-provider with the device flow. */
export const startProvider = async (
  port: number,
  key: Key,
  idTokenSeconds = () => 300,
  /** Where browsers are sent back to; none: the device flow alone. */
  redirectUris: readonly string[] = [],
) => {
  const issuer = `http://127.0.0.1:${port}`;
  // its notes on settings for production
  for (const level of ['warn', 'info'] as const) jest.spyOn(console, level).mockReturnValue();
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        grant_types: [
          'urn:ietf:params:oauth:grant-type:device_code',
          'refresh_token',
          ...(redirectUris.length > 0 ? ['authorization_code'] : []),
        ],
        redirect_uris: [...redirectUris],
        response_types: redirectUris.length > 0 ? ['code'] : [],
      },
    ],
    features: { deviceFlow: { enabled: true }, revocation: { enabled: true } },
    scopes: ['openid', 'offline_access', 'profile', 'email'],
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['key of a test'] },
    jwks: { keys: [key.jwk as never] },
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    ttl: { IdToken: idTokenSeconds },
    findAccount: (_, id) => ({
      accountId: id,
      claims: async () => ({
        sub: id,
        name: id,
        email: `${id}@clinic.example`,
        email_verified: true,
        groups: groups[id] ?? [],
      }),
    }),
  });
  // without an interval the command line polls each 5 s (RFC 8628, 3.2)
  provider.use(async (context, next) => {
    await next();
    if (context.oidc?.route === 'device_authorization')
      Object.assign(context.body, { interval: 1 });
  });
  const server = createServer(provider.callback());
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    issuer,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** An ID token with the claims of a good one, unless others are given. */
export const idToken = (
  issuer: string,
  key: Pick<Key, 'kid' | 'privateKey'>,
  claims: Readonly<Record<string, unknown>> = {},
  header: object = {},
): Promise<string> => {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({
    iss: issuer,
    aud: clientId,
    sub: 'ada',
    email: 'ada@clinic.example',
    email_verified: true,
    groups: groups.ada,
    iat: now,
    exp: now + 300,
    ...claims,
  })
    .setProtectedHeader({ alg: 'RS256', kid: key.kid, ...header })
    .sign(key.privateKey);
};
