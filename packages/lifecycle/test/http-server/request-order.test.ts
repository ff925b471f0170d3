import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { statusesIn, until } from '@pto/testing';
import { httpTimings, startHttpServer } from '../../src/index.ts';

interface Received {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

let server: Awaited<ReturnType<typeof startHttpServer>>;
/** Requests that the handler got, in their order. */
let received: Received[];
let handle: (one: Received) => void;
let sockets: Socket[];
beforeEach(async () => {
  [received, sockets] = [[], []];
  handle = () => {};
  server = await startHttpServer(
    (request, response) => {
      received.push({ request, response });
      handle({ request, response });
    },
    {
      host: '127.0.0.1',
      port: 0,
      timings: { ...httpTimings, lateBodyMs: 10_000 },
      limit: () => {},
    },
  );
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.stop();
});

/** Opens a connection; `text` has what the server has sent on it. */
const open = ({ allowHalfOpen = false } = {}) => {
  const at = { port: server.port, host: '127.0.0.1', allowHalfOpen };
  const socket = connect(at).on('error', () => {});
  sockets.push(socket);
  const heard = { socket, text: '', isClosed: false };
  socket.on('data', (part) => {
    heard.text += part.toString('latin1');
  });
  socket.on('close', () => {
    heard.isClosed = true;
  });
  return heard;
};

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test('of 1,500 requests that each of 40 connections sends ahead, one of each is under way', async () => {
  for (let n = 0; n < 40; n++) open().socket.write(get('/').repeat(1500));
  await until(() => received.length === 40, { what: 'the first request of each connection' });
  const all = received;
  received = [];
  for (const { response } of all) response.end();
  await until(() => received.length === 40, { what: 'the next request of each connection' });
});

test('requests that a client sends ahead are answered in their order, each to its end', async () => {
  handle = ({ request, response }) => void setImmediate(() => response.end(request.url));
  const { socket, ...heard } = open();
  const paths = Array.from({ length: 1500 }, (_, n) => `/${n}`);
  let text = '';
  socket.on('data', (part) => {
    text += part.toString('latin1');
  });
  socket.write(paths.map(get).join(''));
  await until(() => text.includes('/1499'), { what: 'all responses' });
  expect(received.map(({ request }) => request.url)).toEqual(paths);
  expect(statusesIn(text)).toHaveLength(1500);
  expect(heard.isClosed).toBe(false);
});

test('requests that are answered at once follow each other in iterations of the event loop', async () => {
  handle = ({ response }) => void response.end();
  let [before, most] = [0, 0];
  const iteration = () => {
    most = Math.max(most, received.length - before);
    before = received.length;
    if (before < 3000) setImmediate(iteration);
  };
  iteration();
  open().socket.write(get('/').repeat(3000));
  await until(() => received.length === 3000, { what: 'all requests' });
  expect(most).toBeLessThan(10); // a read of the connection has 1,500
});

test('bodies that look like heads, and bytes that come one by one, are read as they were sent', async () => {
  const bodies: string[] = [];
  handle = ({ request, response }) => {
    const parts: Buffer[] = [];
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        bodies.push(Buffer.concat(parts).toString());
        response.end();
      });
  };
  const body = 'a\r\n\r\nGET /no HTTP/1.1\r\n\r\nb';
  const post = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const chunked = `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const large = 'x\r\n\r\n'.repeat(20_000);
  const { socket } = open();
  socket.write(`${post}${chunked}${post}`);
  await until(() => bodies.length === 3, { what: 'three bodies' });
  const slowly = open();
  slowly.socket.setNoDelay(true);
  for (const byte of chunked + post) {
    slowly.socket.write(byte);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await until(() => bodies.length === 5, { what: 'two more' });
  expect(new Set(bodies)).toEqual(new Set([body]));
  open().socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${large.length}\r\n\r\n${large}${post}`,
  );
  await until(() => bodies.length === 7, { what: 'a large body and one behind it' });
  expect(bodies.slice(5)).toEqual([large, body]);
});

const chunks = (count: number) => `${'1\r\nx\r\n'.repeat(count)}0\r\n\r\n`;
const chunkedPost = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';

test('a body in chunks of one byte that nobody reads takes no memory, and is complete when read', async () => {
  const { socket } = open();
  socket.write(chunkedPost + chunks(200_000));
  await until(() => received.length === 1, { what: 'the request' });
  const { request, response } = received[0]!;
  await until(() => request.readableLength > 1000, { what: 'the first chunks' });
  await new Promise((resolve) => setImmediate(resolve));
  expect(request.readableLength).toBeLessThanOrEqual((16 * 1024) / 6 + 1);
  let bytes = 0;
  request.on('data', (part: Buffer) => {
    bytes += part.length;
  });
  await until(() => request.complete, { what: 'the end of the body' });
  expect(bytes).toBe(200_000);
  response.end();
});

test.each([
  [
    'an asynchronous iterator',
    async (request: IncomingMessage) => {
      let bytes = 0;
      for await (const part of request) bytes += (part as Buffer).length;
      return bytes;
    },
  ],
  [
    'listeners of readable',
    async (request: IncomingMessage) => {
      let bytes = 0;
      const take = () => {
        for (let part = request.read(); part !== null; part = request.read()) bytes += part.length;
      };
      request.on('readable', take);
      await once(request, 'end');
      return bytes;
    },
  ],
  [
    'a pipeline',
    async (request: IncomingMessage) => {
      let bytes = 0;
      const counted = new Writable({
        highWaterMark: 1024,
        write: (part: Buffer, _, done) => {
          bytes += part.length;
          setImmediate(done);
        },
      });
      await pipeline(request, counted);
      return bytes;
    },
  ],
])(
  'a body that is read by %s arrives completely, and so does the request behind it',
  async (_, read) => {
    handle = async ({ request, response }) => response.end(`read ${await read(request)}`);
    const heard = open();
    heard.socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n${'x'.repeat(300_000)}`,
    );
    heard.socket.write(chunkedPost + chunks(30_000) + get('/next'));
    await until(() => heard.text.includes('read 0'), { what: 'three responses' });
    expect(heard.text.match(/read \d+/g)).toEqual(['read 300000', 'read 30000', 'read 0']);
  },
);

test('a client that waits for 100 Continue gets it when its body is read, and not before', async () => {
  const heard = open();
  heard.socket.write(
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n',
  );
  await until(() => received.length === 1, { what: 'the request' });
  const { request, response } = received[0]!;
  expect(heard.text).toBe('');
  request.on('data', (part) => response.end(part));
  await until(() => heard.text.includes('100 Continue'), { what: 'the status' });
  heard.socket.write('body');
  await until(() => heard.text.endsWith('body'), { what: 'the response' });
  expect(statusesIn(heard.text)).toEqual([100, 200]);
});

test('a body of 64 MiB does not cut off the response that rejects it', async () => {
  handle = ({ response }) => response.writeHead(413).end('too large');
  const heard = open();
  const length = 64 * 1024 * 1024;
  heard.socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
  heard.socket.write(Buffer.alloc(length));
  heard.socket.write(get('/next'));
  await until(() => received.length === 2, { what: 'the next request' });
  expect(heard.text).toContain('too large');
});

test('a body in chunks of one byte is dropped after its response, up to 512 KiB', async () => {
  handle = ({ response }) => response.writeHead(401).end();
  const endless = open();
  endless.socket.write(chunkedPost);
  const more = () => {
    while (!endless.isClosed && endless.socket.write('1\r\nx\r\n'.repeat(10_000)));
  };
  endless.socket.on('drain', more);
  more();
  await until(() => endless.isClosed, { what: 'the end of the connection' });
  expect(endless.socket.bytesWritten).toBeLessThan(12 * 1024 * 1024);
  const honest = open();
  honest.socket.write(chunkedPost + chunks(80_000) + get('/next'));
  await until(() => received.at(-1)!.request.url === '/next', { what: 'the next request' });
  expect(statusesIn(honest.text)[0]).toBe(401);
});

test('after CONNECT no byte of a connection reaches the requests of another one', async () => {
  handle = ({ request, response }) => void setImmediate(() => response.end(request.url));
  const attacker = open({ allowHalfOpen: true }); // it goes on sending after the end of the response
  attacker.socket.write(`${get('/first')}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`);
  await until(() => attacker.text.includes('400'), { what: 'the response to CONNECT' });
  const victim = open();
  await new Promise((resolve) => victim.socket.once('connect', resolve));
  attacker.socket.write('GET /smuggled HTTP/1.1\r\nX: ');
  const between = open(); // the server has read the bytes before when it answers this one
  between.socket.write(get('/between'));
  await until(() => between.text.includes('/between'), { what: 'a request between them' });
  victim.socket.write(get('/own'));
  await until(() => victim.text !== '', { what: 'the response of the other client' });
  expect(received.map(({ request }) => request.url)).toEqual(['/first', '/between', '/own']);
});

test('after invalid bytes the parser gets nothing more of their connection', async () => {
  const heard = open();
  heard.socket.write('x\r\n\r\n'.repeat(10_000) + get('/late'));
  await until(() => heard.isClosed, { what: 'the end of the connection' });
  expect(statusesIn(heard.text)).toEqual([400]);
  expect(received).toEqual([]);
});

test('a client that closes while its large body waits is noticed', async () => {
  const { socket } = open();
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n${'x'.repeat(200_000)}`,
  );
  await until(() => received.length === 1, { what: 'the request' });
  const closed = new Promise((resolve) => received[0]!.response.once('close', resolve));
  await until(() => socket.writableLength === 0, { what: 'the body to be sent' });
  socket.destroy();
  await closed;
});

test('a head that arrives in two parts, split anywhere, and another one behind it', async () => {
  handle = ({ request, response }) => void setImmediate(() => response.end(request.url));
  const text = `${get('/a')}${get('/b')}`;
  for (let at = 1; at < text.length; at++) {
    const { socket } = open();
    socket.setNoDelay(true);
    const before = received.length;
    socket.write(text.slice(0, at));
    await new Promise((resolve) => setImmediate(resolve));
    socket.write(text.slice(at));
    await until(() => received.length === before + 2, { what: 'both requests' });
    expect(received.slice(before).map(({ request }) => request.url)).toEqual(['/a', '/b']);
  }
});

test('a client that closes while its requests wait ends the one that is under way', async () => {
  const { socket } = open();
  socket.write(get('/').repeat(3));
  await until(() => received.length === 1, { what: 'the first request' });
  const closed = new Promise((resolve) => received[0]!.response.once('close', resolve));
  socket.resetAndDestroy();
  received[0]!.response.end();
  await closed;
  expect(received).toHaveLength(1);
});

test('a client that closes while its only request is under way is noticed at once', async () => {
  const { socket } = open();
  socket.write(get('/'));
  await until(() => received.length === 1, { what: 'the request' });
  const closed = new Promise((resolve) => received[0]!.response.once('close', resolve));
  socket.destroy();
  await closed;
});

test('a request that is answered before its body is complete gets no second answer', async () => {
  handle = ({ response }) => response.writeHead(429).end();
  const heard = open();
  heard.socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  await until(() => heard.text.includes('429'), { what: 'the response' });
  heard.socket.write('invalid\r\n');
  await until(() => heard.isClosed, { what: 'the end of the connection' });
  expect(statusesIn(heard.text)).toEqual([429]);
});

test('a body that never ends loses its connection soon after the response', async () => {
  handle = ({ response }) => response.writeHead(429).end();
  const heard = open();
  heard.socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  await until(() => heard.isClosed, { what: 'the end of the connection' });
  expect(statusesIn(heard.text)).toEqual([429]);
});

test('a body that ends after the response keeps its connection', async () => {
  handle = ({ response }) => response.writeHead(401).end();
  const heard = open();
  heard.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n');
  await until(() => heard.text.includes('401'), { what: 'the response' });
  heard.socket.write('x'.repeat(100) + get('/next'));
  await until(() => received.length === 2, { what: 'the next request' });
  expect(statusesIn(heard.text)).toHaveLength(2);
});

test('bodies that end after their responses leave nothing on their connection', async () => {
  handle = ({ response }) => response.end();
  const heard = open();
  const listeners: number[] = [];
  for (let n = 1; n <= 12; n++) {
    heard.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab');
    await until(() => statusesIn(heard.text).length === n, { what: 'the response' });
    heard.socket.write('cd');
    const { request } = received.at(-1)!;
    await until(() => request.complete, { what: 'the body' });
    listeners.push(request.socket.listenerCount('close'));
  }
  expect(new Set(listeners).size).toBe(1);
});
