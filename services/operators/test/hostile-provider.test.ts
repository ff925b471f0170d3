import { createServer, type ServerResponse } from 'node:http';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { listening } from '@pto/lifecycle';
import { idTokenVerifier } from '../src/identity/id-tokens.ts';
import { clientId, idToken, type Key, newKey } from './openid-provider.ts';

type Answer = (response: ServerResponse) => void;

let key: Key;
beforeAll(async () => {
  key = await newKey('one');
});
let stop = async (): Promise<void> => {};
afterEach(() => stop());

const page =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<html></html>');
const json =
  (document: unknown): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));

let sentBytes = 0;
/** A document without an end, sent as fast as it is read. */
const endless: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const part = ' '.repeat(64 * 1024);
  const write = (): void => {
    while (!response.destroyed) {
      sentBytes += part.length;
      if (!response.write(part)) return void response.once('drain', write);
    }
  };
  write();
};

/** Verifies a good ID token of a provider with these responses. @returns the subject or the failure. */
const verify = async (answers: {
  discovery?: (issuer: string) => Answer;
  keys?: Answer;
}): Promise<unknown> => {
  sentBytes = 0;
  const { kty, n, e, kid, alg, use } = key.jwk;
  const publicJwk = { kty, n, e, kid, alg, use };
  const server = createServer((request, response) => {
    const { discovery, keys } = answers;
    if (request.url === '/keys') return (keys ?? json({ keys: [publicJwk] }))(response);
    (discovery?.(issuer) ?? json({ issuer, jwks_uri: `${issuer}/keys` }))(response);
  });
  const issuer = `http://127.0.0.1:${await listening(server, 0, '127.0.0.1')}`;
  stop = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const verifier = idTokenVerifier({
    oidcIssuer: issuer,
    oidcClientId: clientId,
    oidcAudience: '',
    oidcRolesClaim: 'groups',
    oidcRoles: [{ role: 'admin', group: 'pto-admins' }],
    oidcCarrierClaim: 'carrier_id',
    oidcMaxAgeMs: 600_000,
    oidcScopes: [],
  })!;
  return verifier(await idToken(issuer, key)).then(
    ({ subject }) => subject,
    ({ kind }) => kind,
  );
};

test('an ID token of a provider that responds as it must is accepted', async () => {
  expect(await verify({})).toBe('ada');
});

test.each<[string, Parameters<typeof verify>[0]]>([
  ['serves HTML for discovery', { discovery: () => page(200) }],
  ['redirects discovery', { discovery: () => page(302, { location: 'http://127.0.0.1:9/' }) }],
  [
    'names another issuer',
    { discovery: (issuer) => json({ issuer: `${issuer}/other`, jwks_uri: `${issuer}/keys` }) },
  ],
  ['names no keys', { discovery: (issuer) => json({ issuer }) }],
  ['is no object', { discovery: () => json(null) }],
  ['serves HTML as keys', { keys: page(200) }],
  ['redirects the keys', { keys: page(307, { location: 'http://127.0.0.1:9/' }) }],
  ['serves keys that are no list', { keys: json({ keys: 1 }) }],
])('a provider that %s is unavailable', async (_, answers) => {
  expect(await verify(answers)).toBe('SERVICE_UNAVAILABLE');
});

test.each<[string, Parameters<typeof verify>[0]]>([
  ['discovery document', { discovery: () => endless }],
  ['key set', { keys: endless }],
])(
  'an endless %s is not read to memory',
  async (_, answers) => {
    expect(await verify(answers)).toBe('SERVICE_UNAVAILABLE');
    expect(sentBytes).toBeLessThan(16 * 1024 * 1024);
  },
  20_000,
);
