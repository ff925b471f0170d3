import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { raw, until } from '@pto/testing';
import { call, type GatewayUnderTest, startGatewayService } from '../gateway-service.ts';

let under: GatewayUnderTest | undefined;
let sockets: { socket: Socket; isClosed: boolean }[] = [];
afterEach(async () => {
  for (const { socket } of sockets) socket.destroy();
  sockets = [];
  await under?.stop();
});

const start = async (environment: Record<string, string>): Promise<GatewayUnderTest> => {
  under = await startGatewayService({ redisUrl: '', environment, timings: { headersMs: 1000 } });
  return under;
};

/** Opens connections that send nothing, one after the other. */
const open = async (port: number, connections: number): Promise<void> => {
  for (let n = 0; n < connections; n++) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    const one = { socket, isClosed: false };
    socket.on('close', () => {
      one.isClosed = true;
    });
    socket.resume();
    sockets.push(one);
    await new Promise((resolve) => socket.once('connect', resolve));
  }
};
const closed = () => sockets.filter(({ isClosed }) => isClosed).length;

describe('connections beyond a bound are closed, and counted', () => {
  test.each([
    ['of the replica', 'replica', { GATEWAY_CONNECTIONS: '10' }],
    [
      'of the address',
      'address',
      { GATEWAY_CONNECTIONS_PER_ADDRESS: '10', GATEWAY_CONNECTIONS: '19' },
    ],
  ])('%s', async (_, bound, environment) => {
    const { port, metrics } = await start(environment);
    await open(port, 14);
    await until(() => closed() === 4, { what: 'four closed connections' });
    expect(sockets.slice(0, 10).some(({ isClosed }) => isClosed)).toBe(false);
    const line = new RegExp(`^gateway_connections_rejected_total{.*bound="${bound}".*} 4$`, 'm');
    expect(await metrics()).toMatch(line);
    for (const { socket } of sockets.slice(0, 5)) socket.destroy();
    await until(
      async () => (await call('GET', `http://127.0.0.1:${port}/openapi.json`)).status === 200,
      {
        what: 'a free connection',
      },
    );
  });

  test('an address has no bound of its own while half of the connections are free', async () => {
    const { port } = await start({
      GATEWAY_CONNECTIONS_PER_ADDRESS: '3',
      GATEWAY_CONNECTIONS: '40',
    });
    await open(port, 19);
    expect((await call('GET', `http://127.0.0.1:${port}/openapi.json`)).status).toBe(200);
    expect(closed()).toBe(0);
  });

  test('a trusted proxy has no bound of its own', async () => {
    const { port } = await start({
      GATEWAY_CONNECTIONS_PER_ADDRESS: '3',
      GATEWAY_CONNECTIONS: '10',
      GATEWAY_TRUSTED_PROXIES: '127.0.0.0/8',
    });
    await open(port, 8);
    expect((await call('GET', `http://127.0.0.1:${port}/openapi.json`)).status).toBe(200);
    expect(closed()).toBe(0);
  });
});

test('a connection that sends nothing is closed after the header timeout', async () => {
  const { port } = await start({});
  await open(port, 1);
  const begun = Date.now();
  await until(() => closed() === 1, { deadlineMs: 8000, what: 'the end of the connection' });
  expect(Date.now() - begun).toBeLessThan(3000);
});

test('a request with two Host headers is a 400, and ends the connection', async () => {
  const { port } = await start({});
  const hosts = 'Host: a.example\r\nHost: b.example\r\n';
  for (const two of [hosts, 'Host: x\r\nhost: x\r\n']) {
    const heard = await raw(port, [`GET /openapi.json HTTP/1.1\r\n${two}\r\n`]);
    expect(heard).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(heard).toMatch(/^Connection: close\r$/m);
  }
  const one = await raw(port, ['GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n']);
  expect(one).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});
