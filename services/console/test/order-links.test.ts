/** The requests of a link's page. The gateway is a server of the test. */
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { portalHost, startConsoleService } from './console-service.ts';

const secret = `svc_test_${'1'.repeat(49)}`;
const received: IncomingMessage[] = [];
let answer: (response: ServerResponse) => void;
let service: Awaited<ReturnType<typeof startConsoleService>>;
beforeAll(async () => {
  service = await startConsoleService((one, response) => {
    received.push(one);
    answer(response);
  });
});
afterAll(() => service.stop());

/** Node's fetch cannot set the Host header. */
const post = (path: string, body: string, more: Record<string, string> = {}) =>
  new Promise<{ status: number; text: string; headers: IncomingMessage['headers'] }>(
    (resolve, reject) => {
      const headers = {
        ...{
          host: portalHost,
          'content-type': 'application/json',
          origin: `https://${portalHost}`,
        },
        ...more,
      };
      const options = { host: '127.0.0.1', port: service.port, path, method: 'POST', headers };
      request(options, async (response) => {
        const text = (await response.toArray()).join('');
        resolve({ status: response.statusCode!, text, headers: response.headers });
      })
        .on('error', reject)
        .end(body);
    },
  );
const of = JSON.stringify({ secret });

test.each([
  ['open', 'POST', '/api/order-link/views'],
  ['read', 'GET', '/api/order-link'],
  ['certificate-de', 'GET', '/api/order-link/certificate?lang=de'],
])('%s reaches the gateway with the address of its browser', async (name, method, path) => {
  answer = (response) => response.setHeader('content-type', 'application/json').end('{"a":1}');
  const { status, text } = await post(`/o/${name}`, of, { 'x-forwarded-for': '192.0.2.7' });
  expect([status, text]).toEqual([200, '{"a":1}']);
  const { url, headers, ...one } = received.at(-1)!;
  expect([one.method, url, headers.authorization]).toEqual([method, path, `Bearer ${secret}`]);
  // by which the gateway limits failed keys
  expect(headers['x-forwarded-for']).toMatch(/^192\.0\.2\.7, /);
});

test('each rejection of a secret has the same answer, and other failures say nothing of it', async () => {
  const seen = async (status: number, headers: Record<string, string> = {}) => {
    answer = (response) => response.writeHead(status, headers).end(`${Math.random()}`);
    const { status: shown, text, headers: all } = await post('/o/read', of);
    const { date: _, ...rest } = all;
    return JSON.stringify([shown, text, rest]);
  };
  const ended = new Set(await Promise.all([401, 403, 404].map((status) => seen(status))));
  expect(ended.size).toBe(1);
  expect(await seen(429, { 'retry-after': '7' })).toContain('"retry-after":"7"');
  for (const status of [500, 503, 422]) expect(await seen(status)).toMatch(/^\[503,/);
});

test('a request that names nothing reaches no gateway, nor does one of another site', async () => {
  const before = received.length;
  for (const [name, body] of [
    ['constructor', of],
    ['read', '{}'],
    ['read', JSON.stringify({ secret: `${secret}x` })],
    ['read', JSON.stringify({ secret: [secret] })],
  ] as const)
    expect((await post(`/o/${name}`, body)).status).toBe(404);
  expect((await post('/o/read', of, { origin: 'https://elsewhere.test' })).status).toBe(403);
  expect((await post('/o/read', 'x'.repeat(2000))).status).toBeGreaterThanOrEqual(400);
  expect(received.length).toBe(before);
  expect(service.logged.join()).not.toContain(secret);
});
