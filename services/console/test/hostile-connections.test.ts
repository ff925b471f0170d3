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

test('a connection that sends requests before it has responses starts at most one, and is closed', async () => {
  const { socket, state } = open();
  socket.write(requestOf('/ping').repeat(1000));
  await until(() => state.isClosed, { what: 'the close' });
  const later = open();
  later.socket.write(requestOf('/later'));
  await until(() => received.some(({ url }) => url === '/api/later'), { what: 'a later request' });
  expect(received.length).toBeLessThanOrEqual(2);
  later.socket.destroy();
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

test('a request that arrives before the response before it has ended waits, and is served', async () => {
  const { socket, state } = open();
  socket.write(requestOf('/one') + requestOf('/two'));
  await until(() => received.length > 0, { what: 'the first request' });
  expect(received.map(({ url }) => url)).toEqual(['/api/one']);
  received[0]!.end();
  await until(() => received.length === 2, { what: 'the second request' });
  received[1]!.end();
  await until(() => responsesIn(state.text) === 2, { what: 'both responses' });
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

test('an idle connection is kept for longer than reverse proxies reuse it', async () => {
  const { headers } = await fetch(`http://127.0.0.1:${under.port}/`);
  expect(headers.get('keep-alive')).toBe('timeout=65');
});

test.each([
  ['nothing', ''],
  ['a head that does not end', 'GET / HTTP/1.1\r\nHost: x\r\n'],
])('a connection that sends %s is closed soon after its 5 s', async (_, bytes) => {
  const begun = performance.now();
  const { socket, state } = open();
  socket.write(bytes);
  await until(() => state.isClosed, { what: 'the close' });
  expect(performance.now() - begun).toBeLessThan(12_000); // Node looks every 30 s by default
});
