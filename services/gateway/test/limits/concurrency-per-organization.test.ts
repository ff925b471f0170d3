import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createTelemetry } from '@pto/telemetry';
import { until } from '@pto/testing';
import pg from 'pg';
import type { Credentials } from '../../src/authentication/credentials.ts';
import { Exchange } from '../../src/http/exchange.ts';
import { limitConcurrency } from '../../src/http/limit-concurrency.ts';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';

const inFlightMax = 8;
const waitingMax = 64;

let under: GatewayUnderTest;
/** Orders that the orders service is reading, by organization; each ends when `finish` is called. */
let reading: { organizationId: string; finish(): void }[] = [];
beforeAll(async () => {
  under = await startGatewayService({
    redisUrl: '',
    // what is not read has been sent all the same: its bytes are not the limit of these tests
    environment: { GATEWAY_SEND_TIMEOUT: '1s', GATEWAY_BYTES_PER_SECOND: '1000000000' },
    behind: {
      orders: {
        listOrders: ({ organizationId }: { organizationId: string }) =>
          new Promise((resolve) => {
            const finish = () => resolve({ orders: [], nextCursor: '' });
            reading.push({ organizationId, finish });
          }),
        cancelOrder: ({ organizationId }: { organizationId: string }) =>
          new Promise((resolve) => {
            reading.push({ organizationId, finish: () => resolve({}) });
          }),
      },
      locations: {
        // more than the sockets buffer: the response is sent only as fast as it is read
        listLocations: async ({ afterId }) => ({
          locations: Array.from({ length: 50 }, () => ({ label: 'L'.repeat(30_000) })),
          nextId: afterId.length < 30 ? `${afterId}x` : '',
        }),
      },
    },
  });
});
afterAll(() => under.stop());
afterEach(() => {
  for (const { finish } of reading) finish();
  reading = [];
});

const list = (key: string) => call('GET', `${under.baseUrls[0]}/orders`, { key });
const ping = (key: string) => call('GET', `${under.baseUrls[0]}/ping`, { key });
const count = (of: readonly number[], status: number) => of.filter((one) => one === status).length;

test('100 slow requests of one organization do not delay another organization', async () => {
  const hostile = await partnerOf(under);
  const calm = await partnerOf(under);
  const statuses: number[] = [];
  const answers = Array.from({ length: 100 }, async () => {
    statuses.push((await list(hostile.key)).status);
  });
  await until(() => reading.length === inFlightMax, { what: 'all slots of the hostile one' });
  const begun = Date.now();
  for (let n = 0; n < 10; n++) expect((await ping(calm.key)).status).toBe(200);
  expect(Date.now() - begun).toBeLessThan(900); // less than one wait for a slot, for all ten

  // 8 are in flight; 64 wait for 1 s, and the others are rejected at once
  await until(() => statuses.length === 100 - inFlightMax, { what: 'all other responses' });
  expect(count(statuses, 429)).toBe(92);
  expect(reading.map((one) => one.organizationId)).toEqual(
    Array.from({ length: inFlightMax }, () => hostile.organizationId),
  );
  for (const { finish } of reading) finish();
  await Promise.all(answers);
  expect(count(statuses, 200)).toBe(8);
});

test('a rejected request has Retry-After 1 and spends no budget', async () => {
  const { key } = await partnerOf(under, { reads: 100 });
  const answers = Array.from({ length: inFlightMax + waitingMax }, () => list(key));
  await until(() => reading.length === inFlightMax, { what: 'all slots' });
  const { status, headers, body } = await ping(key);
  expect([status, body.error.code]).toEqual([429, 'RATE_LIMITED']);
  expect(headers.get('retry-after')).toBe('1');
  expect(headers.get('x-ratelimit-remaining')).toBe(`${100 - inFlightMax}`);
  let statuses: number[] | undefined;
  const all = Promise.all(answers).then((ended) => {
    statuses = ended.map((answer) => answer.status);
  });
  await until(
    () => {
      for (const { finish } of reading) finish();
      return statuses !== undefined;
    },
    { what: 'the waiting requests, each in its turn' },
  );
  await all;
  // on a busy machine some have waited for 1 s by now
  expect(count(statuses!, 200) + count(statuses!, 429)).toBe(inFlightMax + waitingMax);
  expect(count(statuses!, 200)).toBeGreaterThanOrEqual(inFlightMax);
});

const open = (key: string, method: string, path: string, body = '') => {
  const socket = connect(under.port, '127.0.0.1').on('error', () => {});
  const head = [
    `${method} /api/partner/v1${path} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${key}`,
    ...(body && ['Content-Type: application/json', `Content-Length: ${body.length}`]),
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return socket;
};

test('a client that disconnects while it waits frees its place', async () => {
  const { key } = await partnerOf(under);
  const held = Array.from({ length: inFlightMax }, () => list(key));
  await until(() => reading.length === inFlightMax, { what: 'all slots' });
  const gone = Array.from({ length: waitingMax }, () => open(key, 'GET', '/orders'));
  await until(async () => (await ping(key)).headers.get('retry-after') === '1', {
    what: 'a full queue',
  });
  const begun = Date.now();
  for (const socket of gone) socket.destroy();
  const next = until(async () => (await ping(key)).status === 200, { what: 'a place' });
  for (const { finish } of reading) finish();
  await next;
  expect(Date.now() - begun).toBeLessThan(900);
  expect((await Promise.all(held)).every(({ status }) => status === 200)).toBe(true);
});

test('a client that disconnects keeps its slot until the handler has ended', async () => {
  const { key } = await partnerOf(under);
  const order = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
  const sockets = Array.from({ length: inFlightMax }, () =>
    open(key, 'POST', `/orders/${order}/cancel`, '{"reason":"r"}'),
  );
  await until(() => reading.length === inFlightMax, { what: 'all slots' });
  for (const socket of sockets) socket.destroy();
  await until(() => under.logged.filter((line) => line.includes('"status":499')).length >= 8, {
    what: 'all connections closed',
  });
  expect((await ping(key)).status).toBe(429);
  for (const { finish } of reading) finish();
  await until(async () => (await ping(key)).status === 200, { what: 'a slot' });
});

/** As many requests as there are slots are in flight at once, and are responded to. */
const expectEverySlot = async (key: string) => {
  const answers = Array.from({ length: inFlightMax }, () => list(key));
  await until(() => reading.length === inFlightMax, { what: 'every slot to be free' });
  for (const { finish } of reading) finish();
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
};

test('a connection with pipelined requests that closes releases all their slots', async () => {
  const { key } = await partnerOf(under);
  const one = `GET /api/partner/v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const socket = connect(under.port, '127.0.0.1').on('error', () => {});
  socket.write(one.repeat(12));
  await until(() => reading.length === inFlightMax, { what: 'all slots' });
  socket.destroy();
  for (const { finish } of reading) finish();
  reading = [];
  await expectEverySlot(key);
});

test('pipelined requests release their slots when the connection closes before any response', async () => {
  const { key } = await partnerOf(under);
  const one = `GET /api/partner/v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const socket = connect(under.port, '127.0.0.1').on('error', () => {});
  socket.write(one.repeat(inFlightMax));
  await until(() => reading.length === inFlightMax, { what: 'all slots' });
  socket.destroy(); // the calls are canceled: no handler comes to send a response
  reading = [];
  await expectEverySlot(key);
});

test('a connection that closes while its key is looked up takes no slot', async () => {
  const { key } = await partnerOf(under);
  const database = new pg.Client({ connectionString: under.database.superuserUrl });
  await database.connect();
  await database.query('begin; lock table api_keys in access exclusive mode');
  const sockets = Array.from({ length: inFlightMax }, () => open(key, 'GET', '/orders'));
  const blocked = "select 1 from pg_stat_activity where wait_event_type = 'Lock'";
  await until(async () => (await database.query(blocked)).rowCount, { what: 'the key lookup' });
  const before = under.logged.filter((line) => line.includes('"status":499')).length;
  for (const socket of sockets) socket.destroy();
  await until(
    () => under.logged.filter((line) => line.includes('"status":499')).length >= before + 8,
    { what: 'all connections closed' },
  );
  await database.query('commit');
  await database.end();
  await expectEverySlot(key);
});

test('a response that is not read loses its slot at the send timeout', async () => {
  const { key } = await partnerOf(under);
  const sockets = Array.from({ length: inFlightMax }, () => open(key, 'GET', '/locations').pause());
  await until(async () => (await ping(key)).status === 429, { what: 'all slots taken' });
  await until(async () => (await ping(key)).status === 200, {
    deadlineMs: 10_000,
    what: 'a released slot',
  });
  for (const socket of sockets) socket.destroy();
});

test('a slot that is given at the moment of the close is released', async () => {
  const telemetry = createTelemetry({ service: 'gateway', write: () => {} });
  const limit = limitConcurrency({ inFlightMax: 1, telemetry });
  const enter = () => {
    const exchange = new Exchange(0);
    exchange.credentials = { organization: { id: 'o' } } as Credentials;
    const response = { locals: { exchange } };
    const entered = new Promise((resolve, reject) => {
      Promise.resolve(limit({} as never, response as never, () => resolve(true))).catch(reject);
    });
    return { entered, close: () => exchange.close() };
  };
  const first = enter();
  await first.entered;
  const second = enter();
  first.close();
  await null; // its slot goes to the second, which closes before it can go on
  second.close();
  const third = enter();
  expect(await third.entered).toBe(true);
  third.close();
});
