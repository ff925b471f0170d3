import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { startConsoleService } from './console-service.ts';

const connectionsMax = 20;
let under: Awaited<ReturnType<typeof startConsoleService>> | undefined;
const opened: Socket[] = [];
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  await under?.stop();
});

const start = async () => {
  under = await startConsoleService((_, response) => response.end('{}'), { connectionsMax });
  const { port } = under;
  /** Opens a connection from an address and sends a request. Returns its response, or '' if it was closed. */
  const request = (address: string) =>
    new Promise<string>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: address })
        .on('error', () => {})
        .on('data', (bytes) => resolve(bytes.toString()))
        .on('close', () => resolve(''));
      opened.push(socket);
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    });
  /** Returns how many of so many connections from an address are served. They stay open. */
  const served = async (address: string, count: number): Promise<number> => {
    let all = 0;
    for (let n = 0; n < count; n++) if ((await request(address)) !== '') all++;
    return all;
  };
  return { served };
};
const [one, other, third] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const;

test('one address gets every place, as a hospital or an ingress needs, and no more', async () => {
  const { served } = await start();
  expect(await served(one, connectionsMax + 5)).toBe(connectionsMax);
});

test('an address that holds all places does not keep others out', async () => {
  const { served } = await start();
  expect(await served(one, connectionsMax + 5)).toBe(connectionsMax);
  expect(await served(other, 1)).toBe(1);
  expect(await served(one, 3)).toBe(0);
  expect(await served(third, 1)).toBe(1);
});

test('the reserved places go to addresses with at most their share', async () => {
  const { served } = await start();
  expect(await served(one, connectionsMax / 2)).toBe(connectionsMax / 2);
  expect(await served(other, connectionsMax)).toBe(connectionsMax / 2);
  expect(await served(third, 3)).toBe(2); // beyond them there are no places
});

test('no open connection is closed for another, and a place that gets free is taken again', async () => {
  const { served } = await start();
  await served(one, connectionsMax);
  const first = [...opened];
  await served(other, 1);
  expect(first.filter(({ destroyed }) => destroyed)).toEqual([]);
  for (const socket of opened.splice(0)) socket.destroy();
  await until(async () => (await served(one, 1)) === 1, { what: 'a free place' });
});
