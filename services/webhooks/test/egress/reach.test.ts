import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type EgressPolicy, parseAllowedRange } from '../../src/egress/address-policy.ts';
import { reach } from '../../src/egress/guarded-connect.ts';
import { startCountingListener } from '../counting-listener.ts';

const policyWith = (...allow: string[]): EgressPolicy => ({
  allow: allow.map(parseAllowedRange),
  only443: false,
});
let listener: Awaited<ReturnType<typeof startCountingListener>>;

beforeAll(async () => {
  listener = await startCountingListener();
});
afterAll(() => listener.close());

test('a socket connects to the judged address, not to what a second lookup of the name returns', async () => {
  // the system's lookup of localhost returns 127.0.0.1, where the listener counts
  const judged = [{ address: '127.0.0.2', family: 4 }];
  await expect(
    reach(
      policyWith('127.0.0.0/8'),
      'localhost',
      listener.port,
      judged,
      new AbortController().signal,
    ),
  ).rejects.toMatchObject({ fault: 'connection_refused' });
  expect(listener.connections()).toBe(0);
});

test('a socket that has reached a refused address is destroyed before a byte is sent', async () => {
  const ended = Promise.withResolvers<number>();
  const server = createServer((socket) => {
    socket.resume().on('close', () => ended.resolve(socket.bytesRead));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const reached = [{ address: '127.0.0.1', family: 4 }];
  const { signal } = new AbortController();
  await expect(
    reach(policyWith(), 'hooks.example.com', port, reached, signal),
  ).rejects.toMatchObject({ fault: 'egress_refused', message: 'is a loopback address' });
  expect(await ended.promise).toBe(0);
  server.close();
});
