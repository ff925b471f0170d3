import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Authority, makeAuthority } from '@pto/testing';
import {
  type Egress,
  openEgress,
  parseAllowedRange,
  resolveHost,
  trust,
} from '../src/egress/index.ts';

let authority: Authority;
let egress: Egress;
const servers: Server[] = [];

beforeAll(() => {
  authority = makeAuthority();
  egress = openEgress({
    policy: { allow: [parseAllowedRange('127.0.0.1')], only443: false },
    resolve: resolveHost,
    secureContext: trust(authority.caFile),
    connectTimeoutMs: 3000,
  });
});
afterAll(async () => {
  await egress.close();
  for (const server of servers) server.close();
  authority.forget();
});

/** A receiver, and who has called it: it closes nothing by itself for a minute. */
const receiverSaying = async (keepAlive: string | undefined) => {
  const connections: Socket[] = [];
  const { cert, key } = authority;
  const server = createServer({ cert, key, keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume();
    if (keepAlive) response.setHeader('Keep-Alive', keepAlive);
    response.setHeader('Connection', 'keep-alive');
    response.writeHead(204).end();
  });
  server.on('secureConnection', (socket) => connections.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  const url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const post = async () => {
    const body = Buffer.from('{}');
    const limits = { timeoutMs: 5000, answerMaxBytes: 1024 };
    await egress.request({ method: 'POST', url, headers: {}, body, ...limits });
  };
  return { connections, post };
};

test('a post 4.5 s later goes out on the same connection where its receiver has said so', async () => {
  const connectionsAfter = async (keepAlive: string | undefined) => {
    const { connections, post } = await receiverSaying(keepAlive);
    await post();
    await sleep(4500);
    await post();
    return connections.length;
  };
  expect(
    await Promise.all(
      // one that is closed in the moment of a post costs an attempt: none is kept to its last second
      ['timeout=60', 'timeout=60, max=1000', 'timeout=4', undefined].map(connectionsAfter),
    ),
  ).toEqual([1, 1, 2, 2]);
}, 20_000);
