/** Who gets a map, on the console's host and on the portal's. Operators is a server of the test. */
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { portalHost, startConsoleService } from './console-service.ts';

const secretOf = (prefix: string, digit: number) => `${prefix}_${`${digit}`.repeat(49)}`;
const operator = (digit: number) => ({ cookie: `__Host-session=${secretOf('ops', digit)}` });
const partner = (digit: number) => ({
  cookie: `__Host-portal=${secretOf('svc_test', digit)}`,
  host: portalHost,
});
/** Secrets that end in 9 are of no session. */
const isValid = (given: string) => given !== '' && !given.includes('999');

let calls = 0;
let outage: number | undefined;
const operators = createServer(async (received: IncomingMessage, response) => {
  calls++;
  const isPortal = received.url === '/access/access.v1.PortalSessionService/GetSession';
  const sent = (await received.toArray()).join('');
  const { secret = '' } = JSON.parse(sent) as { secret?: string };
  const given = isPortal ? secret : (received.headers.authorization ?? '');
  response.writeHead(outage ?? (isValid(given) ? 200 : 401)).end('{}');
});
let service: Awaited<ReturnType<typeof startConsoleService>>;
beforeAll(async () => {
  await new Promise<void>((resolve) => operators.listen(0, '127.0.0.1', resolve));
  const operatorUrl = `http://127.0.0.1:${(operators.address() as AddressInfo).port}`;
  service = await startConsoleService((_, response) => response.end(), { operatorUrl });
});
afterAll(async () => {
  await service.stop();
  operators.closeAllConnections();
  operators.close();
});

const way = 'from=52.5,13.4,Berlin&to=48.1,11.6,Munich';
/** Node's fetch cannot set the Host header. */
const statusOf = (headers: Record<string, string>, query = way) =>
  new Promise<number>((resolve, reject) => {
    const { port } = service;
    request({ host: '127.0.0.1', port, path: `/map.svg?${query}`, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode!));
    })
      .on('error', reject)
      .end();
  });
const together = (count: number, headers: Record<string, string>) =>
  Promise.all(Array.from({ length: count }, (_, n) => statusOf(headers, `${way}%20${n}`)));

test.each([
  ['no cookie', {}],
  ["no cookie on the portal's host", { host: portalHost }],
  ['an ended session', operator(9)],
  ['an ended session of the portal', partner(9)],
  ["a partner's session on the console's host", { cookie: partner(1).cookie }],
  ["an operator's session on the portal's host", { ...operator(1), host: portalHost }],
])('a request with %s gets no map', async (_, headers) => {
  expect(await statusOf(headers)).toBe(401);
});

test.each([429, 503])('an outage with %i of operators is no missing session', async (status) => {
  outage = status;
  const statuses = await Promise.all([statusOf(operator(1)), statusOf(partner(1))]);
  outage = undefined;
  expect(statuses).toEqual([503, 503]);
});

test('735 requests without a session cost no call and delay no map of a session', async () => {
  const before = calls;
  const flood = together(735, {});
  expect(await Promise.all([statusOf(operator(1)), statusOf(partner(1))])).toEqual([200, 200]);
  expect(new Set(await flood)).toEqual(new Set([401]));
  expect(calls - before).toBe(2);
});

test('one session that requests 80 maps at once takes no map from another one', async () => {
  const flood = together(80, operator(1));
  const others = [operator(2), partner(1), partner(2)].map((headers) => statusOf(headers));
  expect(await Promise.all(others)).toEqual([200, 200, 200]);
  const statuses = await flood;
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(10);
});

test('a page with some maps gets all of them', async () => {
  expect(await together(10, partner(3))).toEqual(Array(10).fill(200));
});
