import { createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ConfigError, readConfig } from '@pto/config';
import type { Failure } from '@pto/errors';
import { OperatorService } from '@pto/proto/operators/v1/operators';
import { freePort, until } from '@pto/testing';
import { exportSPKI, SignJWT } from 'jose';
import { checkOidc, oidcSettings } from '../src/config.ts';
import { rolesOf } from '../src/identity/claims.ts';
import {
  clientId,
  idToken,
  type Key,
  newKey,
  providerSettings,
  startProvider,
} from './openid-provider.ts';
import { type OperatorsUnderTest, query, startOperatorsService } from './operators-service.ts';

type Claims = Readonly<Record<string, unknown>>;

let port: number;
let key: Key;
let provider: Awaited<ReturnType<typeof startProvider>>;
let under: OperatorsUnderTest;
beforeAll(async () => {
  port = await freePort();
  key = await newKey('one');
  provider = await startProvider(port, key);
  under = await startOperatorsService({
    environment: {
      ...providerSettings(provider.issuer),
      OPERATORS_OIDC_MAX_AGE: '10m',
      OPERATORS_FAILED_AUTH_PER_MINUTE: '100000',
    },
  });
});
afterAll(async () => {
  await under.stop();
  await provider.stop();
});

const answer = (token: string): Promise<string> =>
  under
    .client(OperatorService, 'operators', token)
    .whoAmI({})
    .then(
      ({ name, roles }) => `${name}: ${roles.join(', ')}`,
      ({ kind, message }: Failure) => `${kind}: ${message}`,
    );
const good = (claims: Claims = {}, header: object = {}) =>
  idToken(provider.issuer, key, claims, header);
const seconds = (more: number) => Math.floor(Date.now() / 1000) + more;
const rejected = (reason: string) =>
  `OPERATOR_NOT_AUTHENTICATED: The ID token ${reason}. Run \`operator login\` again.`;

test('an ID token of the provider is accepted, and groups become roles', async () => {
  expect(await answer(await good())).toBe('ada@clinic.example: support, admin');
  expect(await answer(await good({ groups: 'pto-support' }))).toBe('ada@clinic.example: support');
});

test.each<[string, Claims, string]>([
  ['another audience', { aud: 'another' }, 'has an unexpected claim `aud`'],
  ['another issuer', { iss: 'https://evil.example' }, 'has an unexpected claim `iss`'],
  [
    'several audiences without an authorized party',
    { aud: [clientId, 'another'] },
    'was issued to another client',
  ],
  ['another client as the authorized party', { azp: 'another' }, 'was issued to another client'],
  ['no subject', { sub: undefined }, 'has an unexpected claim `sub`'],
  ['no expiry', { exp: undefined }, 'has an unexpected claim `exp`'],
  ['an end in the past', { iat: seconds(-200), exp: seconds(-100) }, 'has expired'],
  ['an age above the maximum', { iat: seconds(-700), exp: seconds(3600) }, 'has expired'],
  ['a time of issue in the future', { iat: seconds(300) }, 'has an unexpected claim `iat`'],
  ['a start in the future', { nbf: seconds(300) }, 'has an unexpected claim `nbf`'],
])('an ID token with %s is rejected', async (_, claims, reason) => {
  expect(await answer(await good(claims))).toBe(rejected(reason));
});

test('an e-mail address that the provider did not verify is not the name', async () => {
  for (const email_verified of [false, 'false', undefined, null, 1, 'yes'])
    expect(await answer(await good({ email_verified, sub: 'grace' }))).toBe(
      'grace: support, admin',
    );
  for (const email_verified of [true, 'true'])
    expect(await answer(await good({ email_verified, sub: 'grace' }))).toBe(
      'ada@clinic.example: support, admin',
    );
});

test('a name that a person can choose does not look like the verified address of another', async () => {
  const chosen = {
    email_verified: false,
    sub: 'mallory',
    preferred_username: 'ada@clinic.example',
  };
  expect(await answer(await good(chosen))).toBe('ada@clinic.example (mallory): support, admin');
  const { preferred_username, ...named } = { ...chosen, name: 'Ada\n\u009b31m\u2028L' };
  expect(await answer(await good(named))).toBe('Ada  31m L (mallory): support, admin');
});

test('two subjects with one verified address are two operators, and a changed address is none', async () => {
  const idOf = async (claims: Claims) => {
    await answer(await good(claims));
    const [row] = await query(
      under.database.ownerUrl,
      `select id from operators where subject = '${claims.sub}'`,
    );
    return (row as { id: string } | undefined)?.id;
  };
  const email = { email_verified: true, email: 'shared@clinic.example' };
  const one = await idOf({ ...email, sub: 'one' });
  expect(await idOf({ ...email, sub: 'two' })).not.toBe(one);
  expect(await idOf({ email_verified: true, email: 'new@clinic.example', sub: 'one' })).toBe(one);
});

test('an address gives roles only if it is verified', () => {
  const mapping = [{ role: 'admin' as const, group: 'ada@clinic.example' }];
  const roles = (email_verified?: unknown) =>
    rolesOf({ email: 'ada@clinic.example', email_verified }, 'email', mapping);
  expect(roles(true)).toEqual(['admin']);
  for (const not of [false, 'false', undefined, 'yes']) expect(roles(not)).toEqual([]);
});

test('an access token and a logout token are no ID tokens', async () => {
  for (const typ of ['at+jwt', 'logout+jwt', 'AT+JWT'])
    expect(await answer(await good({}, { typ }))).toBe(rejected('is not an ID token'));
});

test('an unsigned token is rejected', async () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const [, payload] = (await good()).split('.');
  for (const alg of ['none', 'None', 'NONE'])
    expect(await answer(`${part({ alg })}.${payload}.`)).toMatch(/^OPERATOR_NOT_AUTHENTICATED/);
});

test('a token signed with HS256 and the public key as its secret is rejected', async () => {
  const secret = createSecretKey(Buffer.from(await exportSPKI(key.publicKey)));
  const now = seconds(0);
  const claims = { iss: provider.issuer, aud: clientId, sub: 'ada', groups: ['pto-admins'] };
  const token = await new SignJWT({ ...claims, iat: now, exp: now + 60 })
    .setProtectedHeader({ alg: 'HS256', kid: key.kid })
    .sign(secret);
  expect(await answer(token)).toBe(rejected('is signed with an algorithm that is not allowed'));
});

test('a changed payload, an unknown key and a foreign key with a known id are rejected', async () => {
  const [header, payload, signature] = (await good()).split('.');
  const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString());
  const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'root' })).toString('base64url');
  expect(await answer(`${header}.${forged}.${signature}`)).toBe(rejected('has a wrong signature'));
  const foreign = await newKey('foreign');
  const unpublished = rejected('is signed with a key that the provider does not publish');
  expect(await answer(await idToken(provider.issuer, foreign))).toBe(unpublished);
  const disguised = { ...foreign, kid: key.kid };
  expect(await answer(await idToken(provider.issuer, disguised))).toBe(
    rejected('has a wrong signature'),
  );
});

test('a key in the header of the token is not used', async () => {
  const foreign = await newKey(key.kid);
  const { n, e, kty } = foreign.jwk;
  const header = {
    jwk: { n, e, kty },
    jku: 'http://127.0.0.1:1/jwks',
    x5u: 'http://127.0.0.1:1/x',
  };
  const token = await idToken(provider.issuer, foreign, {}, header);
  expect(await answer(token)).toBe(rejected('has a wrong signature'));
});

test('text that is no token is rejected', async () => {
  for (const text of ['x', 'a.b.c', `${await good()}.x`])
    expect(await answer(text)).toMatch(/^OPERATOR_NOT_AUTHENTICATED/);
});

test('the keys of the provider may change while the gateway runs', async () => {
  await provider.stop();
  const next = await newKey('two');
  provider = await startProvider(port, next);
  const token = await idToken(provider.issuer, next);
  await until(async () => (await answer(token)) === 'ada@clinic.example: support, admin', {
    what: 'the new key',
  });
  expect(await answer(await good())).toBe(
    rejected('is signed with a key that the provider does not publish'),
  );
});

test('while the provider is unavailable, a gateway without its keys says so', async () => {
  const alone = await startOperatorsService({
    environment: {
      OPERATORS_OIDC_ISSUER: `http://127.0.0.1:${await freePort()}`,
      OPERATORS_OIDC_CLIENT_ID: clientId,
      OPERATORS_OIDC_ROLES: 'admin=pto-admins',
    },
  });
  const client = alone.client(OperatorService, 'operators', await good());
  await expect(client.whoAmI({})).rejects.toMatchObject({
    kind: 'SERVICE_UNAVAILABLE',
    message: 'The OpenID provider does not answer.',
  });
  await alone.stop();
});

test('settings that do not go together stop the gateway', () => {
  const faults = (environment: Record<string, string>): readonly string[] => {
    try {
      checkOidc(readConfig(oidcSettings, environment).settings);
      return [];
    } catch (error) {
      return (error as ConfigError).faults;
    }
  };
  expect(faults({})).toEqual([]);
  expect(faults({ OPERATORS_OIDC_ISSUER: 'http://idp.example' })).toHaveLength(3);
  expect(faults({ OPERATORS_OIDC_ROLES: 'root=group' })).toHaveLength(1);
  const whole = {
    OPERATORS_OIDC_ISSUER: 'https://idp.example/realm',
    OPERATORS_OIDC_CLIENT_ID: 'x',
    OPERATORS_OIDC_ROLES: 'admin=a=b,support=c',
  };
  expect(faults(whole)).toEqual([]);
  expect(readConfig(oidcSettings, whole).settings.oidcRoles).toEqual([
    { role: 'admin', group: 'a=b' },
    { role: 'support', group: 'c' },
  ]);
});
