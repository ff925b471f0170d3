import { createServer as createPlain } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Authority, makeAuthority } from '@pto/testing';
import { openEgress, parseAllowedRange, resolveHost, trust } from '../src/egress/index.ts';
import { startCountingListener } from './counting-listener.ts';
import { startReceiver } from './receiver.ts';

const allow = [parseAllowedRange('127.0.0.0/8'), parseAllowedRange('::1/128')];
let authority: Authority;
let stranger: Authority;
let elsewhere: Authority;

beforeAll(() => {
  authority = makeAuthority();
  stranger = makeAuthority();
  elsewhere = makeAuthority(['other.example']);
});
afterAll(() => {
  for (const one of [authority, stranger, elsewhere]) one.forget();
});

const post = async (url: string, trusted = authority) => {
  const egress = openEgress({
    policy: { allow, only443: false },
    resolve: resolveHost,
    secureContext: trust(trusted.caFile),
    connectTimeoutMs: 1000,
  });
  const body = Buffer.from('{}');
  const request = { method: 'POST', url: new URL(url), headers: {}, body } as const;
  try {
    return await egress
      .request({ ...request, timeoutMs: 2000, answerMaxBytes: 100 })
      .catch((error) => error);
  } finally {
    await egress.close();
  }
};

test('a certificate for the host, from an authority that is trusted, is taken', async () => {
  const receiver = await startReceiver(authority);
  expect(await post(receiver.url)).toMatchObject({ statusCode: 204 });
  expect(await post(receiver.url.replace('localhost', '127.0.0.1'))).toMatchObject({
    statusCode: 204,
  });
  await receiver.close();
});

describe('nothing is sent', () => {
  test('to a certificate of an unknown authority', async () => {
    const receiver = await startReceiver(stranger);
    expect(await post(receiver.url)).toMatchObject({ fault: 'tls' });
    expect(receiver.received).toEqual([]);
    await receiver.close();
  });

  test('to a certificate for another host', async () => {
    const receiver = await startReceiver(elsewhere);
    expect(await post(receiver.url, elsewhere)).toMatchObject({ fault: 'tls' });
    const byAddress = receiver.url.replace('localhost', '127.0.0.1');
    expect(await post(byAddress, elsewhere)).toMatchObject({ fault: 'tls' });
    expect(receiver.received).toEqual([]);
    await receiver.close();
  });

  test('to somebody who speaks no TLS', async () => {
    const plain = createPlain((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const { port } = plain.address() as { port: number };
    expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({ fault: 'tls' });
    plain.close();
  });
});

test('a redirect is an answer, and is not followed', async () => {
  const listener = await startCountingListener();
  const receiver = await startReceiver(authority, {
    answer: (_, response) => {
      response.writeHead(307, { location: `https://127.0.0.1:${listener.port}/` }).end();
    },
  });
  expect(await post(receiver.url)).toMatchObject({ statusCode: 307 });
  expect(listener.connections()).toBe(0);
  await receiver.close();
  listener.close();
});

test('proxy variables are not obeyed', async () => {
  const listener = await startCountingListener();
  const receiver = await startReceiver(authority);
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'ALL_PROXY'];
  for (const name of names) process.env[name] = `http://127.0.0.1:${listener.port}`;
  try {
    expect(await post(receiver.url)).toMatchObject({ statusCode: 204 });
    expect(listener.connections()).toBe(0);
  } finally {
    for (const name of names) delete process.env[name];
  }
  await receiver.close();
  listener.close();
});
