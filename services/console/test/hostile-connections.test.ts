import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { portalHost, sessionCookie, startConsoleService } from './console-service.ts';

let under: Awaited<ReturnType<typeof startConsoleService>>;
/** Requests that the gateway has received; `end` responds. */
let received: { url: string; hasLeft: boolean; end(): void }[];
beforeEach(async () => {
  received = [];
  under = await startConsoleService(({ url = '' }, response) => {
    const one = { url, hasLeft: false, end: () => response.end('{}') };
    received.push(one);
    response.on('close', () => {
      one.hasLeft = !response.writableFinished;
    });
  });
});
afterEach(() => under.stop());

const requestOf = (path: string) =>
  `GET /api${path} HTTP/1.1\r\nHost: ${portalHost}\r\nCookie: ${sessionCookie}\r\n\r\n`;
const open = () => {
  const state = { text: '', isClosed: false };
  const socket = connect(under.port, '127.0.0.1')
    .on('error', () => {})
    .on('data', (bytes) => {
      state.text += bytes;
    })
    .on('close', () => {
      state.isClosed = true;
    });
  return { socket, state };
};
const responsesIn = (text: string) => text.split('HTTP/1.1 200').length - 1;

test('of the requests that a connection sends ahead one is under way, and each is served in turn', async () => {
  const { socket, state } = open();
  socket.write(requestOf('/ping').repeat(100));
  for (let n = 1; n <= 100; n++) {
    await until(() => received.length === n, { what: 'the next request' });
    const later = open();
    if (n === 1) {
      later.socket.write(`GET / HTTP/1.1\r\nHost: ${portalHost}\r\n\r\n`);
      await until(() => responsesIn(later.state.text) === 1, {
        what: 'the page of another client',
      });
      expect(received).toHaveLength(1);
    }
    later.socket.destroy();
    received.at(-1)!.end();
  }
  await until(() => responsesIn(state.text) === 100, { what: 'all responses' });
  expect(state.isClosed).toBe(false);
  socket.destroy();
});

test('a connection is used for one request after the other', async () => {
  const { socket, state } = open();
  for (let n = 1; n <= 50; n++) {
    socket.write(requestOf('/ping'));
    await until(() => received.length === n, { what: 'the request' });
    received.at(-1)!.end();
    await until(() => responsesIn(state.text) === n, { what: 'its response' });
  }
  expect(state.isClosed).toBe(false);
  socket.destroy();
});

test('a browser that leaves ends its request at the gateway, and is no failure in the log', async () => {
  const { socket } = open();
  socket.write(requestOf('/events?wait=25'));
  await until(() => received.length === 1, { what: 'the request' });
  socket.destroy();
  await until(() => received[0]!.hasLeft, { what: 'the end of the request' });
  const { socket: later, state } = open();
  later.write(requestOf('/later'));
  await until(() => received.length === 2, { what: 'a later request' });
  received[1]!.end();
  await until(() => responsesIn(state.text) === 1, { what: 'its response' });
  later.destroy();
  expect(under.logged.filter((line) => line.includes('request failed'))).toEqual([]);
});

test.each([
  '/../x',
  '/orders/../../x',
  '/./ping',
  '/..',
  '/orders/..?limit=1',
  '/.hidden',
  '/%2e%2e/x',
  '/orders/..%2f..%2fx',
  '//example.com/x',
  '/orders//x',
  '/',
])('%s leaves the API, and does not reach the gateway', async (path) => {
  const { socket, state } = open();
  socket.write(requestOf(path));
  await until(() => state.text.includes('\r\n\r\n'), { what: 'the response' });
  expect(state.text).toMatch(/^HTTP\/1\.1 404 /);
  expect(received).toEqual([]);
  socket.destroy();
});

test('a path with dots inside of its parts reaches the gateway as it is', async () => {
  const { socket } = open();
  socket.write(requestOf('/orders/v1..2.x/file.name?after=..'));
  await until(() => received.length === 1, { what: 'the request' });
  expect(received[0]!.url).toBe('/api/orders/v1..2.x/file.name?after=..');
  received[0]!.end();
  socket.destroy();
});

test('an idle connection is kept for longer than reverse proxies reuse it', async () => {
  const { headers } = await fetch(`http://127.0.0.1:${under.port}/`);
  expect(headers.get('keep-alive')).toBe('timeout=65');
});

test.each([
  ['nothing', ''],
  ['a head that does not end', 'GET / HTTP/1.1\r\nHost: x\r\n'],
])('a connection that sends %s is closed soon after its 3 s', async (_, bytes) => {
  const begun = performance.now();
  const { socket, state } = open();
  socket.write(bytes);
  await until(() => state.isClosed, { what: 'the close' });
  expect(performance.now() - begun).toBeLessThan(12_000); // Node looks every 30 s by default
});
