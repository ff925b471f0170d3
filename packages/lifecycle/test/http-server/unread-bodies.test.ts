import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { statusesIn, until } from '@pto/testing';
import { httpTimings, startHttpServer } from '../../src/index.ts';

let server: Awaited<ReturnType<typeof startHttpServer>>;
/** Stops reading a body, as handlers do that reject it. */
let giveUp: (request: IncomingMessage) => Promise<unknown>;
beforeEach(async () => {
  server = await startHttpServer(
    async (request, response) => {
      request.on('error', () => {});
      await giveUp(request).catch(() => {});
      response.writeHead(401).end();
    },
    {
      ...{ host: '127.0.0.1', port: 0, limit: () => {} },
      timings: { ...httpTimings, lateBodyMs: 300 },
    },
  );
});
afterEach(() => server.stop());

test.each<[string, typeof giveUp]>([
  [
    'a pipeline that fails',
    (request) => pipeline(request, new Writable({ write: (_, __, done) => done(new Error('no')) })),
  ],
  [
    'an iterator that ends',
    async (request) => {
      for await (const _ of request) break;
    },
  ],
  ['a pause', async (request) => request.once('data', () => request.pause())],
  ['nothing', async () => {}],
])(
  'a body that is given up by %s gets its response, and its connection is closed',
  async (_, how) => {
    giveUp = how;
    const heard = { text: '', isClosed: false };
    const socket = connect(server.port, '127.0.0.1')
      .on('error', () => {})
      .on('data', (part) => {
        heard.text += part.toString('latin1');
      })
      .on('close', () => {
        heard.isClosed = true;
      });
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(100_000)}`,
    );
    await until(() => heard.isClosed, { what: 'the end of the connection' });
    expect(statusesIn(heard.text)).toEqual([401]);
  },
);

test('a client that closes its connection after one request sends its body late, and reads the response', async () => {
  giveUp = async () => {};
  let answered = false;
  server.server.prependListener('request', (_, response) => {
    response.once('close', () => {
      answered = true;
    });
  });
  const errors: Error[] = [];
  let text = '';
  let isClosed = false;
  const socket = connect(server.port, '127.0.0.1')
    .on('error', (error) => errors.push(error))
    .on('close', () => {
      isClosed = true;
    })
    .pause();
  const size = 200_000;
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${size}\r\n\r\n`,
  );
  await until(() => answered, { what: 'the response' });
  for (let sent = 0; sent < size; sent += 10_000)
    await new Promise((done) => socket.write('x'.repeat(10_000), done));
  socket.on('data', (part) => {
    text += part.toString('latin1');
  });
  socket.resume();
  await until(() => isClosed, { what: 'the end of the connection' });
  expect([errors, statusesIn(text)]).toEqual([[], [401]]);
});

test('a connection of one request whose body never comes is closed after `lateBodyMs`', async () => {
  giveUp = async () => {};
  let isClosed = false;
  const begun = performance.now();
  const socket = connect(server.port, '127.0.0.1')
    .on('close', () => {
      isClosed = true;
    })
    .resume();
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 9\r\n\r\n');
  await until(() => isClosed, { what: 'the end of the connection', deadlineMs: 4000 });
  expect(performance.now() - begun).toBeGreaterThan(250);
});
