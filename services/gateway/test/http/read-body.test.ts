import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Request } from 'express';
import { bodySize, readBody } from '../../src/http/read-body.ts';

let server: Server;
let client: Socket;
beforeEach(async () => {
  // the largest bodies fit into memory unread
  server = createServer({ highWaterMark: 1024 * 1024 }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
});
afterEach(() => {
  client.destroy();
  server.close();
});

/** Sends the text, and returns the request as soon as its head has arrived. */
const sent = async (text: string) => {
  const requested = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
  client.write(text);
  const [request] = await requested;
  request.on('error', () => {});
  const read = () =>
    readBody(
      request as Request,
      { bodyMs: 10_000, bodyStillMs: 10_000 },
      bodySize(request.headers),
      () => false,
    );
  return { request, read };
};

/** Waits until all of the body has arrived, like the time that the budgets take. */
const complete = async (request: IncomingMessage): Promise<void> => {
  while (!request.complete) await new Promise((resolve) => setImmediate(resolve));
};

const post = 'POST / HTTP/1.1\r\nHost: x\r\n';
const chunked = (text: string) =>
  `${post}Transfer-Encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

test('a body that arrived before is returned', async () => {
  const { request, read } = await sent(chunked('complete'));
  await complete(request);
  expect((await read()).toString()).toBe('complete');
});

test('a body of which one half arrived before is read to its end', async () => {
  const { request, read } = await sent(`${post}Content-Length: 8\r\n\r\nhalf`);
  while (request.readableLength < 4) await new Promise((resolve) => setImmediate(resolve));
  const body = read();
  client.write('done');
  expect((await body).toString()).toBe('halfdone');
});

test('a body without a stated length is read to its end', async () => {
  const { read } = await sent(`${post}Transfer-Encoding: chunked\r\n\r\nb\r\nmore than t\r\n`);
  const body = read();
  await new Promise((resolve) => setImmediate(resolve));
  client.write('4\r\nen, \r\n');
  client.write('3\r\nend\r\n0\r\n\r\n');
  expect((await body).toString()).toBe('more than ten, end');
});

test('a body that arrived before and is too large is rejected', async () => {
  const { request, read } = await sent(chunked('x'.repeat(256 * 1024 + 1)));
  await complete(request);
  await expect(read()).rejects.toMatchObject({ kind: 'PAYLOAD_TOO_LARGE' });
});

test('a body is not waited for when its connection closed before', async () => {
  const { request, read } = await sent(`${post}Content-Length: 10\r\n\r\nhalf`);
  const closed = new Promise((resolve) => request.once('close', resolve));
  client.destroy();
  await closed; // like the time that the budgets take
  await expect(read()).rejects.toThrow('the partner disconnected');
}, 5000);

test('a body is no longer waited for when its connection closes', async () => {
  const { read } = await sent(`${post}Content-Length: 10\r\n\r\nhalf`);
  const body = read();
  client.destroy();
  await expect(body).rejects.toThrow();
}, 5000);

test('a body is no longer waited for when its request is destroyed', async () => {
  const { request, read } = await sent(`${post}Content-Length: 10\r\n\r\nhalf`);
  const body = read();
  request.destroy(); // without an error, so that only `close` follows
  await expect(body).rejects.toThrow('the partner disconnected');
}, 5000);

test('a body in chunks of one byte is returned unchanged', async () => {
  const text = 'chunks of one byte, '.repeat(5000);
  const { read } = await sent(`${post}Transfer-Encoding: chunked\r\n\r\n`);
  const body = read();
  client.write(`${[...text].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`);
  expect((await body).toString()).toBe(text);
});

test.each([
  ['ends as a complete file does', 250, 5000],
  ['is a 408 in drops', 1, undefined],
])('while others wait, a body without a stated length %s', async (_, step, length) => {
  const timings = { bodyMs: 4000, bodyStillMs: 1000 };
  const { request } = await sent(`${post}Transfer-Encoding: chunked\r\n\r\n`);
  let left = 20;
  const steps = setInterval(() => {
    client.write(`${step.toString(16)}\r\n${'x'.repeat(step)}\r\n`);
    if (--left === 0) client.write('0\r\n\r\n');
  }, 150);
  const body = readBody(request as Request, timings, 8000, () => true);
  const bytes = body.then((all) => all.length).finally(() => clearInterval(steps));
  if (length === undefined) await expect(bytes).rejects.toMatchObject({ kind: 'REQUEST_TIMEOUT' });
  else expect(await bytes).toBe(length);
});
