import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Authority, makeAuthority } from '@pto/testing';
import { parseAllowedRange } from '../../src/egress/address-policy.ts';
import { openEgress } from '../../src/egress/egress.ts';
import { resolveHostBy } from '../../src/egress/resolve-host.ts';
import { trust } from '../../src/egress/tls.ts';
import { parseProxy } from '../../src/egress/tunnel.ts';
import { startNameServer } from '../name-server.ts';
import { startProxy } from '../proxy.ts';
import type { DnsAnswer } from './egress-attacks.ts';

/** Stand for public addresses: no other address of this machine is allowed. */
const [one, other] = ['127.0.0.2', '127.0.0.3'];
const host = 'hooks.example.com';

let authority: Authority;
beforeAll(() => {
  authority = makeAuthority([host]);
});
afterAll(() => authority.forget());
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A receiver on all addresses of this machine, which records the reached address of each request. */
const startReceiver = async (connection: 'close' | 'keep-alive') => {
  const reached: (string | undefined)[] = [];
  const server = createServer({ cert: authority.cert, key: authority.key }, (request, response) => {
    reached.push(request.socket.localAddress);
    request.resume().on('end', () => response.writeHead(204, { connection }).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, reached };
};

/**
 * Sends three requests, one after the other; the name server answers the n-th lookup with the n-th
 * answer, all with a TTL of 0. @returns each status or fault.
 */
const threePosts = async (port: number, answers: readonly DnsAnswer[], proxyPort?: number) => {
  const names = await startNameServer(answers);
  closing.push(names.close);
  const egress = openEgress({
    policy: { allow: [one, other].map(parseAllowedRange), only443: false },
    resolve: (name) => resolveHostBy(name, [names.server]),
    tls: trust(authority.caFile),
    connectTimeoutMs: 2000,
    egressProxy: proxyPort === undefined ? undefined : parseProxy(`http://127.0.0.1:${proxyPort}`),
  });
  const url = new URL(`https://${host}:${port}/hooks`);
  const request = { method: 'POST', url, headers: {}, body: Buffer.from('{}') } as const;
  const ended = [];
  for (let n = 0; n < 3; n++)
    ended.push(
      await egress
        .request({ endpointId: 'e', ...request, timeoutMs: 3000, responseMaxBytes: 100 })
        .then(
          ({ statusCode }) => statusCode,
          ({ fault }) => fault,
        ),
    );
  await egress.close();
  return ended;
};

const hostile: readonly (readonly [string, DnsAnswer])[] = [
  ['loopback', { a: ['127.0.0.1'] }],
  ['a private address', { a: ['10.0.0.1'] }],
  ['the metadata service', { a: ['169.254.169.254'] }],
  ['a good and a bad address', { a: [other, '127.0.0.1'] }],
  ['a good A and a bad AAAA', { a: [other], aaaa: ['::1'] }],
  ['a good A and a mapped AAAA', { a: [other], aaaa: [`::ffff:${other}`] }],
  ['a CNAME to loopback', { cname: 'localhost', a: ['127.0.0.1'] }],
];

describe('a name that changes to a bad address after a delivery gets no further connection', () => {
  // the receiver ends each connection, and its TLS session could be resumed
  test.each(hostile)('to %s', async (_, answer) => {
    const { port, reached } = await startReceiver('close');
    const refused = 'egress_refused';
    expect(await threePosts(port, [{ a: [one] }, answer])).toEqual([204, refused, refused]);
    expect(reached).toEqual([one]);
  });

  test.each(hostile)('to %s, through a proxy', async (_, answer) => {
    const { port } = await startReceiver('close');
    const proxy = await startProxy();
    closing.push(proxy.close);
    const refused = 'egress_refused';
    const ended = await threePosts(port, [{ a: [one] }, answer], proxy.port);
    expect(ended).toEqual([204, refused, refused]);
    expect(proxy.asked.map(({ line }) => line)).toEqual([`CONNECT ${one}:${port} HTTP/1.1`]);
  });
});

test('a name that moves to another good address gets its deliveries there', async () => {
  const { port, reached } = await startReceiver('close');
  expect(await threePosts(port, [{ a: [one] }, { a: [other] }])).toEqual([204, 204, 204]);
  expect(reached).toEqual([one, other, other]);
});

test('a kept connection stays at the address that was judged', async () => {
  const { port, reached } = await startReceiver('keep-alive');
  // a request that finds the connection busy opens another one, which is rejected
  await threePosts(port, [{ a: [one] }, { a: ['127.0.0.1'] }]);
  expect(reached.length).toBeGreaterThan(1);
  expect(new Set(reached)).toEqual(new Set([one]));
});
