import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { makeAuthority } from '@pto/testing';
import { listening, stopped } from './a-sandbox.ts';
import { aHome, runPto } from './pto-command.ts';

/** A name that only the proxy knows. */
const far = 'api.example';
const authority = makeAuthority([far, 'localhost']);
const answer: RequestListener = (_, response) =>
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end('{"status": "ok", "organization": "Demo", "environment": "test"}');
const servers = {
  http: createHttp(answer),
  https: createHttps({ cert: authority.cert, key: authority.key }, answer),
};
/** The first lines of what the proxy got. */
const proxied: string[] = [];
const proxy = createHttp((request, response) => {
  proxied.push(`${request.method} ${request.url}`);
  response.writeHead(502).end();
});
proxy.on('connect', (request, socket) => {
  proxied.push(`CONNECT ${request.url}`);
  const target = connect(ports.https, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.pipe(target).pipe(socket);
  });
  for (const one of [socket, target]) one.on('error', () => {});
});

const ports = { http: 0, https: 0, proxy: 0 };
let home: ReturnType<typeof aHome>;
beforeAll(async () => {
  ports.http = await listening(servers.http);
  ports.https = await listening(servers.https);
  ports.proxy = await listening(proxy);
});
afterAll(async () => {
  for (const server of [servers.http, servers.https, proxy]) await stopped(server);
  authority.forget();
});
beforeEach(() => {
  proxied.splice(0);
  home = aHome();
});
afterEach(() => home.forget());

const ping = (origin: string, more: NodeJS.ProcessEnv = {}) => {
  const proxyUrl = `http://127.0.0.1:${ports.proxy}`;
  return runPto(
    {
      ...home.environment,
      ...{ NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl, NO_PROXY: '' },
      ...{ PTO_API_KEY: 'svc_test_canary7', PTO_BASE_URL: `${origin}/api/partner/v1` },
      ...more,
    },
    ['ping'],
  );
};
const trusted = { NODE_EXTRA_CA_CERTS: authority.caFile };

test.each([
  ['http://127.0.0.1', 'http'],
  ['http://127.1', 'http'],
  ['http://localhost', 'http'],
  ['https://localhost', 'https'],
] as const)('a request to %s takes no proxy', async (origin, server) => {
  const { code, stdout } = await ping(`${origin}:${ports[server]}`, trusted);
  expect([code, proxied]).toEqual([0, []]);
  expect(stdout).toContain('Demo');
});

test('a request to another host takes the proxy of the environment', async () => {
  const { code, stdout } = await ping(`https://${far}`, trusted);
  expect([code, proxied]).toEqual([0, [`CONNECT ${far}:443`]]);
  expect(stdout).toContain('Demo');
});

test.each([
  ['NODE_EXTRA_CA_CERTS without the authority', {}, 'NODE_EXTRA_CA_CERTS names a file with it'],
  [
    'NODE_EXTRA_CA_CERTS without a file',
    { NODE_EXTRA_CA_CERTS: '/no/such/file' },
    'NODE_EXTRA_CA_CERTS names a file with it',
  ],
  ['a proxy that is not there', { HTTPS_PROXY: 'http://127.0.0.1:9' }, 'check HTTPS_PROXY'],
  ['a proxy of SOCKS', { HTTPS_PROXY: 'socks5://127.0.0.1:9' }, 'check HTTPS_PROXY'],
])('%s is named by the error', async (_, settings, message) => {
  const { code, stderr } = await ping(`https://${far}`, settings);
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
});
