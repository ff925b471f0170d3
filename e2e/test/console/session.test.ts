/** The console's server: sessions, what a browser may send, and whose calls it forwards. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { startConsoleSession } from '../../console-sign-in.ts';
import { operatorClients } from '../../operator.ts';
import { sharedStack } from '../test-stack.ts';

const stack = sharedStack();

const sameOrigin = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
const at = (path: string, init: RequestInit = {}) => fetch(stack.file().consoleUrl + path, init);

const tokenOf = async (...roles: string[]) => {
  const { operators } = operatorClients(stack);
  return operators.issueToken({ name: `Console ${roles}`, roles, expiresInSeconds: 3600n });
};
const signIn = (credential: unknown) => startConsoleSession(stack, credential);
/** The cookie of a new session, as a browser sends it. */
const sessionOf = async (...roles: string[]) => {
  const { secret, token } = await tokenOf(...roles);
  const response = await signIn(secret);
  expect(response.status).toBe(200);
  return { cookie: response.headers.getSetCookie()[0]!.split(';')[0]!, tokenId: token!.id };
};
const whoAmI = '/rpc/operators/operators.v1.OperatorService/WhoAmI';
const call = (path: string, cookie: string, headers: object = sameOrigin, body: object = {}) =>
  at(path, { method: 'POST', headers: { ...headers, cookie }, body: JSON.stringify(body) });

test('a token becomes a session in a cookie that no script and no other site can use', async () => {
  const { secret } = await tokenOf('support');
  const response = await signIn(secret);
  const [cookie] = response.headers.getSetCookie();
  expect(cookie).toMatch(
    /^__Host-session=ops_[0-9A-Za-z]{49}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
  );
  expect(await response.text()).not.toContain('ops_');
  expect(await (await call(whoAmI, cookie!.split(';')[0]!)).json()).toMatchObject({
    name: 'Console support',
    roles: ['support'],
  });
});

test.each([
  ['opt_wrong', 401],
  ['', 400],
  [7, 400],
  ['a b', 400],
  [`x${'y'.repeat(20_000)}`, 400],
])('the credential %.20s is rejected without a cookie', async (credential, status) => {
  const response = await signIn(credential);
  expect(response.status).toBe(status);
  expect(response.headers.getSetCookie()).toEqual([]);
});

test('a session is planted by nobody: a cookie that is no session is not sent on', async () => {
  const { secret } = await tokenOf('support');
  for (const cookie of ['', `__Host-session=${secret}`, '__Host-session=', 'session=x'])
    expect((await call(whoAmI, cookie)).status).toBe(401);
});

test.each<[string, object]>([
  ['a foreign site', { 'sec-fetch-site': 'cross-site' }],
  ['a sibling domain', { 'sec-fetch-site': 'same-site' }],
  ['the address bar', { 'sec-fetch-site': 'none' }],
  ['an old browser on a foreign site', { origin: 'https://evil.test' }],
  ['an unknown program', {}],
])('a request of %s changes and reads nothing', async (_name, headers) => {
  const { cookie } = await sessionOf('support');
  const response = await call(whoAmI, cookie, { 'content-type': 'application/json', ...headers });
  expect(response.status).toBe(403);
});

test('an old browser on the console itself is served', async () => {
  const { cookie } = await sessionOf('support');
  const origin = stack.file().consoleUrl;
  const headers = { origin, 'content-type': 'application/json' };
  expect((await call(whoAmI, cookie, headers)).status).toBe(200);
});

test('a role that may not call an RPC is refused by the operators service', async () => {
  const { cookie } = await sessionOf('support');
  const body = { name: 'x', roles: ['admin'], expiresInSeconds: '60' };
  const path = '/rpc/operators/operators.v1.OperatorService/IssueToken';
  const response = await call(path, cookie, sameOrigin, body);
  expect(response.status).toBe(403);
  expect(await response.text()).toContain('OPERATOR_NOT_PERMITTED');
});

test('a sign-out ends the session itself, not the cookie alone', async () => {
  const { cookie } = await sessionOf('support');
  const headers = { 'sec-fetch-site': 'same-origin', cookie };
  const left = await at('/session', { method: 'DELETE', headers });
  expect(left.status).toBe(204);
  expect(left.headers.getSetCookie()[0]).toContain('Max-Age=0');
  const after = await call(whoAmI, cookie);
  expect(after.status).toBe(401);
  expect(after.headers.getSetCookie()[0]).toContain('Max-Age=0');
});

test('a sign-out everywhere ends the session of another browser', async () => {
  const { secret } = await tokenOf('support');
  const cookies = [];
  for (let n = 0; n < 2; n++)
    cookies.push((await signIn(secret)).headers.getSetCookie()[0]!.split(';')[0]!);
  const [here, there] = cookies as [string, string];
  const headers = { 'sec-fetch-site': 'same-origin', cookie: here };
  await at('/session?everywhere', { method: 'DELETE', headers });
  expect((await call(whoAmI, there)).status).toBe(401);
});

test('the revocation of the token ends the session with the next call', async () => {
  const { cookie, tokenId } = await sessionOf('support');
  await operatorClients(stack).operators.revokeToken({ id: tokenId });
  expect((await call(whoAmI, cookie)).status).toBe(401);
});

test.each([
  '/rpc/operators/..%2f..%2fx/WhoAmI',
  '/rpc/operators/operators.v1.OperatorService/.hidden',
  '/rpc/courier/courier.v1.CourierService/Advance',
  '/rpc/orders/orders.v1.OrderService/CreateOrder',
  '/rpc/operators/operators.v1.OperatorService',
])('%s is no call', async (path) => {
  const { cookie } = await sessionOf('support', 'dispatcher', 'admin', 'auditor');
  expect([403, 404, 501]).toContain((await call(path, cookie)).status);
});

test('a page that is read again and again is one row of the audit log', async () => {
  const { cookie, tokenId } = await sessionOf('auditor');
  const headers = { ...sameOrigin, 'x-request-id': crypto.randomUUID() };
  const search = '/rpc/orders/orders.v1.OrderCommandService/SearchOrders';
  for (let n = 0; n < 3; n++) await call(search, cookie, headers, { refresh: true });
  const { audit } = operatorClients(stack);
  const request = { operator: tokenId, action: 'SearchOrders' };
  expect((await audit.listActions(request)).actions).toHaveLength(1);
  await call(search, cookie, headers, { refresh: true, text: 'another search' });
  expect((await audit.listActions(request)).actions).toHaveLength(2);
});

test.each(['/', '/orders/x', '/nothing'])('%s has headers that bound the page', async (path) => {
  const { status, headers } = await at(path);
  expect(status).toBe(200);
  const policy = headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|nonce|http/);
  expect(headers.get('x-frame-options')).toBe('DENY');
});

test.each(['/assets/../../../etc/passwd.js', '/assets/none.js', '/index.html.bak'])(
  '%s is no file',
  async (path) => {
    expect((await at(path)).status).toBe(404);
  },
);

test('logs of the console have no credential and no session', async () => {
  const { secret } = await tokenOf('support');
  const cookie = (await signIn(secret)).headers.getSetCookie()[0]!;
  await call(whoAmI, cookie.split(';')[0]!);
  const log = readFileSync(`${stack.dir}/logs/console-0.log`, 'utf8');
  expect(log).toContain('"kind":"session"');
  for (const word of [secret.slice(4, 40), /ops_(\w{20})/.exec(cookie)![1]!])
    expect(log).not.toContain(word);
});

test.each([
  ['from=52.5,13.4,Berlin&to=48.1,11.6,M%C3%BCnchen', 200],
  ['from=52.5,13.4,Berlin', 400],
  ['from=91,0,x&to=0,0,y', 400],
  ['from=1e9,0,x&to=0,0,y', 400],
])('the map of %s is answered %i', async (query, status) => {
  const { cookie } = await sessionOf('support');
  const response = await at(`/map.svg?${query}`, { headers: { cookie } });
  expect(response.status).toBe(status);
  if (status !== 200) return;
  expect(response.headers.get('content-type')).toBe('image/svg+xml');
  expect(await response.text()).toContain('München');
});

test('a body is not read before the session is checked, and an oversized one is refused', async () => {
  const body = JSON.stringify({ externalId: 'x'.repeat(20_000_000) });
  const find = '/rpc/orders/orders.v1.OrderCommandService/FindOrders';
  const forged = `__Host-session=ops_${'0'.repeat(49)}`;
  const { cookie } = await sessionOf('support');
  const statusOf = (cookie: string) =>
    at(find, { method: 'POST', headers: { ...sameOrigin, cookie }, body }).then(
      ({ status }) => status,
      () => 0, // the connection was closed while the body was sent
    );
  expect([0, 401, 503]).toContain(await statusOf(forged));
  expect([0, 400, 413, 429, 503]).toContain(await statusOf(cookie));
  const pid = stack.file().services.find(({ name }) => name === 'console')!.pid;
  const [, kib] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  const before = Number(kib);
  await Promise.all(Array.from({ length: 40 }, () => statusOf(forged)));
  const [, after] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  expect(Number(after) - before).toBeLessThan(100 * 1024); // 40 bodies are 800 MB
  expect((await call(whoAmI, cookie)).status).toBe(200);
});
