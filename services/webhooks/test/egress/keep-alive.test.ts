import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Authority, makeAuthority } from '@pto/testing';
import type { Egress } from '../../src/egress/egress.ts';
import { type Answer, startReceiver } from '../receiver.ts';
import { localEgress } from './local-egress.ts';

let authority: Authority;
let egress: Egress;

beforeAll(() => {
  authority = makeAuthority();
  egress = localEgress(authority, 3000);
});
afterAll(async () => {
  await egress.close();
  authority.forget();
});

test('a post 4.5 s later goes out on the same connection where its receiver has said so', async () => {
  const connectionsAfter = async (keepAlive: string | undefined) => {
    const connections = new Set<Socket>();
    const answer: Answer = (request, response) => {
      connections.add(request.socket);
      if (keepAlive) response.setHeader('Keep-Alive', keepAlive);
      response.setHeader('Connection', 'keep-alive'); // else Node's server adds its own timeout
      response.on('finish', () => request.socket.setTimeout(0)); // and closes the connection then
      response.writeHead(204).end();
    };
    const receiver = await startReceiver(authority, { answer });
    const url = new URL(receiver.url);
    const post = () =>
      egress.request({
        endpointId: 'e',
        ...{ method: 'POST', url, headers: {}, body: Buffer.from('{}') },
        ...{ timeoutMs: 5000, responseMaxBytes: 1024 },
      });
    await post();
    await sleep(4500);
    await post();
    await receiver.close();
    return connections.size;
  };
  expect(
    await Promise.all(
      // one that is closed in the moment of a post costs an attempt: none is kept to its last second
      ['timeout=60', 'timeout=60, max=1000', 'timeout=4', undefined].map(connectionsAfter),
    ),
  ).toEqual([1, 1, 2, 2]);
}, 20_000);
