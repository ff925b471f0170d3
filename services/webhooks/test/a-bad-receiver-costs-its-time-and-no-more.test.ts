import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Authority, makeAuthority } from '@pto/testing';
import {
  type Egress,
  openEgress,
  parseAllowedRange,
  resolveHost,
  trust,
} from '../src/egress/index.ts';

const timeoutMs = 700;
const answerMaxBytes = 64 * 1024;
let authority: Authority;
let egress: Egress;

beforeAll(() => {
  authority = makeAuthority();
  egress = openEgress({
    policy: { allow: [parseAllowedRange('127.0.0.1')], only443: false },
    resolve: resolveHost,
    secureContext: trust(authority.caFile),
    connectTimeoutMs: 300,
  });
});
afterAll(async () => {
  await egress.close();
  authority.forget();
});

const head = 'HTTP/1.1 200 OK\r\n';

/** Posts to a server that talks as it likes once the TLS connection stands. */
const postTo = async (talk: (socket: TLSSocket) => void) => {
  const sockets = new Set<Socket>();
  const server = createServer({ cert: authority.cert, key: authority.key }, (socket) => {
    socket.on('error', () => {});
    talk(socket);
  });
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const begun = Date.now();
  const outcome = await egress
    .request({
      method: 'POST',
      url: new URL(`https://127.0.0.1:${port}/`),
      headers: {},
      body: Buffer.from('{}'),
      timeoutMs,
      answerMaxBytes,
    })
    .catch((error) => error);
  const tookMs = Date.now() - begun;
  for (const socket of sockets) socket.destroy();
  server.close();
  return { outcome, tookMs };
};

const every = (ms: number, socket: Socket, write: () => void) => {
  const timer = setInterval(write, ms);
  socket.on('close', () => clearInterval(timer));
};

test.each<[string, string, (socket: TLSSocket) => void]>([
  ['says nothing', 'timeout', () => {}],
  [
    'drips its status line',
    'timeout',
    (s) => {
      s.write('HTTP/1.1 200 ');
      every(50, s, () => s.write('O'));
    },
  ],
  [
    'drips headers for ever',
    'timeout',
    (s) => {
      s.write(head);
      every(50, s, () => s.write('x-more: y\r\n'));
    },
  ],
  [
    'drips its body',
    'timeout',
    (s) => {
      s.write(`${head}content-length: 1000\r\n\r\n`);
      every(50, s, () => s.write('.'));
    },
  ],
  [
    'sends early hints for ever',
    'timeout',
    (s) => every(20, s, () => s.write('HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n')),
  ],
  ['resets the connection', 'connection_lost', (s) => s.once('data', () => s.destroy())],
  ['hangs up politely', 'connection_lost', (s) => s.once('data', () => s.end())],
  ['speaks another protocol', 'protocol', (s) => s.end('220 smtp.example.com ESMTP\r\n')],
  [
    'lies about its length',
    'connection_lost',
    (s) => s.once('data', () => s.end(`${head}content-length: 1000\r\n\r\nshort`)),
  ],
  ['sends endless headers', 'protocol', (s) => s.end(`${head}x: ${'y'.repeat(200_000)}\r\n\r\n`)],
])('one that %s: %s', async (_, fault, talk) => {
  const { outcome, tookMs } = await postTo(talk);
  expect(outcome).toMatchObject({ fault });
  expect(tookMs).toBeLessThan(timeoutMs + 400);
});

test('one whose TLS handshake never ends costs the time to connect', async () => {
  const silent = createTcp(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const begun = Date.now();
  const url = new URL(`https://127.0.0.1:${port}/`);
  const error = await egress
    .request({ method: 'GET', url, headers: {}, timeoutMs: 5000, answerMaxBytes })
    .catch((e) => e);
  expect(error).toMatchObject({ fault: 'connect_timeout' });
  expect(Date.now() - begun).toBeLessThan(1000);
  silent.close();
});

test('one that answers without end is cut off, and its status counts', async () => {
  let sent = 0;
  const { outcome, tookMs } = await postTo((socket) => {
    const chunk = Buffer.alloc(64 * 1024, '.');
    socket.write(`${head}content-length: 10000000000\r\n\r\n`);
    const pour = () => {
      while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
    };
    socket.on('drain', pour);
    socket.once('data', pour);
  });
  expect(outcome.statusCode).toBe(200);
  expect(outcome.body.length).toBe(answerMaxBytes);
  expect(tookMs).toBeLessThan(timeoutMs);
  // what the two sockets hold between them, and not gigabytes
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});
