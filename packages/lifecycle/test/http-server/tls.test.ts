import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { connect } from 'node:tls';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeAuthority, statusesIn, until } from '@pto/testing';
import { startHttpServer } from '../../src/index.ts';

const authority = makeAuthority();
let server: Awaited<ReturnType<typeof startHttpServer>>;
let received: { readonly request: IncomingMessage; readonly response: ServerResponse }[];
beforeEach(async () => {
  received = [];
  server = await startHttpServer((request, response) => received.push({ request, response }), {
    ...{ host: '127.0.0.1', port: 0, limit: () => {} },
    tls: { cert: authority.cert, key: authority.key },
  });
});
afterEach(() => server.stop());
afterAll(() => authority.forget());

const open = () => {
  const heard = { text: '', isClosed: false };
  const socket = connect({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false })
    .on('error', () => {})
    .on('data', (part) => {
      heard.text += part.toString('latin1');
    })
    .on('close', () => {
      heard.isClosed = true;
    });
  return { socket, heard };
};

test('of the requests that a TLS connection sends ahead one is under way', async () => {
  const { socket, heard } = open();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1500));
  for (let n = 1; n <= 20; n++) {
    await until(() => received.length === n, { what: 'the next request' });
    received.at(-1)!.response.end();
    await until(() => statusesIn(heard.text).length === n, { what: 'its response' });
    expect(received.length).toBeLessThanOrEqual(n + 1);
  }
  socket.destroy();
});

test('a client that speaks no TLS is closed, and others are served', async () => {
  const plain = connectTcp(server.port, '127.0.0.1').on('error', () => {});
  const closed = new Promise((resolve) => plain.once('close', resolve));
  plain.write('GET / HTTP/1.1\r\n\r\n');
  plain.resume();
  await closed;
  const { socket } = open();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => received.length === 1, { what: 'a request' });
  socket.destroy();
});
