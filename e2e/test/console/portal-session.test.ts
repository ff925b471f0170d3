/** The portal's server: what a browser may send, and what never crosses its borders. */
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { expect, test } from '@jest/globals';
import { operatorClients } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { sharedStack } from '../test-stack.ts';

const stack = sharedStack();
const sameOrigin = { 'sec-fetch-site': 'same-origin' };

const linkOf = async (rights: object = {}) => {
  const { body } = await partner(stack).post('/portal-links', rights);
  const { origin, hash } = new URL(body.url);
  return { origin, code: hash.slice(1) };
};
const newNonce = () => randomBytes(32).toString('base64url');
const exchange = (
  origin: string,
  code: unknown,
  headers: Record<string, string> = sameOrigin,
  nonce: unknown = newNonce(),
) =>
  fetch(`${origin}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ code, nonce }),
  });
/** Sends a path as it is: `fetch` would resolve its dots. @returns the response's status. */
const rawStatus = (host: string, port: number, path: string, cookie: string) =>
  new Promise<number>((resolve, reject) => {
    const headers = { cookie, host: `${host}:${port}` };
    request({ host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    })
      .on('error', reject)
      .end();
  });
/** The cookie of a new session, as a browser sends it. */
const sessionOf = async (rights: object = {}) => {
  const { origin, code } = await linkOf(rights);
  const response = await exchange(origin, code);
  expect(response.status).toBe(204);
  return { origin, cookie: response.headers.getSetCookie()[0]!.split(';')[0]! };
};

test('a code becomes a session in a cookie that no script and no other site can use', async () => {
  const { origin, code } = await linkOf();
  const response = await exchange(origin, code);
  expect(response.headers.getSetCookie()).toHaveLength(1);
  expect(response.headers.getSetCookie()[0]).toMatch(
    /^__Host-portal=svc_test_[0-9A-Za-z]{49}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
  );
  expect(await response.text()).toBe('');
  const again = await exchange(origin, code);
  expect([again.status, again.headers.getSetCookie()]).toEqual([404, []]);
});

test('an exchange that is repeated keeps its session, also where the browser has its cookie', async () => {
  const { origin, code } = await linkOf();
  const nonce = newNonce();
  const first = await exchange(origin, code, sameOrigin, nonce);
  const [cookie] = first.headers.getSetCookie()[0]!.split(';') as [string];
  const again = await exchange(origin, code, { ...sameOrigin, cookie }, nonce);
  expect(again.headers.getSetCookie()[0]!.split(';')[0]).toBe(cookie);
  expect((await fetch(`${origin}/session`, { headers: { cookie } })).status).toBe(200);
  expect((await exchange(origin, code, { ...sameOrigin, cookie })).status).toBe(404);
  for (const wrong of [undefined, 7, 'x'])
    expect((await exchange(origin, (await linkOf()).code, sameOrigin, wrong ?? null)).status).toBe(
      400,
    );
});

test.each([
  ['a foreign site', { 'sec-fetch-site': 'cross-site' }],
  ['a sibling domain', { 'sec-fetch-site': 'same-site' }],
  ['the address bar', { 'sec-fetch-site': 'none' }],
  ['an old browser on a foreign site', { origin: 'https://evil.test' }],
] as [string, Record<string, string>][])(
  'a request of %s opens, changes and ends nothing',
  async (_name, headers) => {
    const { origin, code } = await linkOf();
    expect((await exchange(origin, code, headers)).status).toBe(403);
    const { cookie } = await sessionOf();
    const { id } = (await partner(stack).post('/orders', orderBody())).body;
    const cancelled = await fetch(`${origin}/api/orders/${id}/cancel`, {
      method: 'POST',
      headers: { ...headers, cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'forged' }),
    });
    expect(cancelled.status).toBe(403);
    const ended = await fetch(`${origin}/session`, {
      method: 'DELETE',
      headers: { ...headers, cookie },
    });
    expect(ended.status).toBe(403);
    expect((await exchange(origin, code)).status).toBe(204); // the code was not used up
  },
);

test.each([[''], ['ptl_x'], [7], [null], ['ptl_'.padEnd(900, 'a')]])(
  'the code %p opens nothing',
  async (code) => {
    const { origin } = await linkOf();
    const response = await exchange(origin, code);
    expect([400, 404]).toContain(response.status);
    expect(response.headers.getSetCookie()).toEqual([]);
  },
);

test('a session is planted by nobody: a cookie that is no session is not sent on', async () => {
  const { origin } = await linkOf();
  const session = await sessionOf();
  const values = ['', 'x', 'Bearer x', `${session.cookie.split('=')[1]}\r\nX: y`];
  for (const value of values) {
    const headers = { cookie: `__Host-portal=${encodeURI(value)}` };
    expect((await fetch(`${origin}/api/ping`, { headers })).status).toBe(401);
  }
});

test('neither host has what is the other one’s', async () => {
  const { origin, cookie } = await sessionOf();
  const { consoleUrl } = stack.file();
  const post = (url: string, headers: Record<string, string>) =>
    fetch(url, {
      method: 'POST',
      headers: { ...sameOrigin, 'content-type': 'application/json', ...headers },
      body: '{}',
    });
  const { operators } = operatorClients(stack);
  const { secret } = await operators.startSession({});
  const operator = `__Host-session=${secret}`;
  const whoAmI = '/rpc/operators/operators.v1.OperatorService/WhoAmI';
  expect((await post(consoleUrl + whoAmI, { cookie: operator })).status).toBe(200);
  expect((await post(origin + whoAmI, { cookie: `${operator}; ${cookie}` })).status).toBe(404);
  const headers = { cookie: `${operator}; ${cookie}` };
  expect((await fetch(`${origin}/api/ping`, { headers })).status).toBe(200);
  const there = await fetch(`${consoleUrl}/api/ping`, { headers });
  expect(there.headers.get('content-type')).toBe('text/html; charset=utf-8'); // a page's path
  expect(await (await fetch(`${consoleUrl}/`)).text()).toContain('<title>Console</title>');
  expect(await (await fetch(`${origin}/`)).text()).toContain('<title>Portal</title>');
});

test.each([
  ['/api/../ping'],
  ['/api/..%2fping'],
  ['/api//ping'],
  ['/api/./ping'],
  ['/api/%2e%2e/ping'],
  ['/api/'],
  ['/api/orders%00'],
])('the path %s reaches nothing', async (path) => {
  const { origin, cookie } = await sessionOf();
  const { hostname, port } = new URL(origin);
  const status = await rawStatus(hostname, Number(port), path, cookie);
  expect(status).toBeGreaterThanOrEqual(400);
});

test('a file is saved and never shown as a page of the portal', async () => {
  const { origin, cookie } = await sessionOf();
  const { id } = (await partner(stack).post('/orders', orderBody())).body;
  const certificate = await fetch(`${origin}/api/orders/${id}/custody/certificate`, {
    headers: { cookie, accept: 'text/html' },
  });
  expect(certificate.headers.get('content-disposition')).toMatch(/^attachment/);
  expect(certificate.headers.get('cache-control')).toBe('no-store');
  expect(certificate.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('a sign-out ends the session itself, not the cookie alone', async () => {
  const { origin, cookie } = await sessionOf();
  const left = await fetch(`${origin}/session`, {
    method: 'DELETE',
    headers: { ...sameOrigin, cookie },
  });
  expect(left.status).toBe(204);
  expect(left.headers.getSetCookie()[0]).toContain('Max-Age=0');
  const after = await fetch(`${origin}/session`, { headers: { cookie } });
  expect(after.status).toBe(401);
  expect(after.headers.getSetCookie()[0]).toContain('Max-Age=0');
});

test('a new link in a browser ends the session that it had', async () => {
  const { origin, cookie } = await sessionOf();
  const { code } = await linkOf();
  expect((await exchange(origin, code, { ...sameOrigin, cookie })).status).toBe(204);
  expect((await fetch(`${origin}/session`, { headers: { cookie } })).status).toBe(401);
});

test('the answers of the partners’ API pass unchanged, with the code and the request id', async () => {
  const { origin, cookie } = await sessionOf({ read_only: true });
  const response = await fetch(`${origin}/api/orders`, {
    method: 'POST',
    headers: { ...sameOrigin, cookie, 'content-type': 'application/json' },
    body: JSON.stringify(orderBody()),
  });
  expect(response.status).toBe(403);
  const { error } = (await response.json()) as { error: { code: string } };
  expect(error.code).toBe('INSUFFICIENT_SCOPE');
  expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/);
});
