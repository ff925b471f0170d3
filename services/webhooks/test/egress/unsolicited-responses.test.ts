import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { createServer, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Authority, makeAuthority, until } from '@pto/testing';
import type { Egress } from '../../src/egress/egress.ts';
import { localEgress } from './local-egress.ts';

const response = (status: number) => `HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`;

let authority: Authority;
let egress: Egress;
let url: URL;
/** Connections in the order of their opening. */
const sockets: TLSSocket[] = [];
/** What the receiver writes when a request has come whole. */
let written: (socket: TLSSocket) => void;
const server = () =>
  createServer({ cert: authority.cert, key: authority.key }, (socket) => {
    sockets.push(socket);
    socket.on('data', () => written(socket)).on('error', () => {});
  });
let receiver: ReturnType<typeof server>;

beforeAll(async () => {
  authority = makeAuthority();
  egress = localEgress(authority, 3000);
  receiver = server();
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = new URL(`https://localhost:${(receiver.address() as AddressInfo).port}/hooks`);
});
afterAll(async () => {
  await egress.close();
  receiver.close();
  authority.forget();
});

const post = async (endpointId: string): Promise<number> => {
  const request = { endpointId, method: 'POST', url, headers: {}, body: Buffer.from('x') } as const;
  return (await egress.request({ ...request, timeoutMs: 5000, responseMaxBytes: 100 })).statusCode;
};

test('a connection of one endpoint carries no request of another endpoint', async () => {
  const [hostile, calm] = [randomUUID(), randomUUID()];
  written = (socket) => socket.write(response(204));
  expect(await post(hostile)).toBe(204);
  const kept = sockets.at(-1)!;
  await setImmediate(); // undici takes the connection back
  // the unsolicited response is on the wire when the next request is
  written = (socket) => socket.write(response(socket === kept ? 418 : 204));
  expect(await post(calm)).toBe(204);
  expect(sockets.at(-1)).not.toBe(kept);
});

test('a connection that receives a second response while it is idle is closed', async () => {
  const endpointId = randomUUID();
  written = (socket) => socket.write(response(204));
  expect(await post(endpointId)).toBe(204);
  const kept = sockets.at(-1)!;
  kept.write(response(418));
  await until(() => kept.destroyed || kept.readableEnded, { what: 'the connection to be closed' });
  const before = sockets.length;
  expect(await post(endpointId)).toBe(204);
  expect(sockets.length - before).toBe(1);
});

test('a second response behind the first one is never read', async () => {
  const endpointId = randomUUID();
  written = (socket) => socket.write(response(204) + response(418));
  for (let n = 0; n < 20; n++) expect(await post(endpointId)).toBe(204);
});
