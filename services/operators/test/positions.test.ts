/** Positions of drivers under way (decision 87): in the memory of Redis alone, for 15 min. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deviceOpening } from '@pto/custody-verifier';
import { Failure } from '@pto/errors';
import { CarrierService } from '@pto/proto/operators/v1/carriers';
import { DriverService, DriverSessionService } from '@pto/proto/operators/v1/drivers';
import { PositionService } from '@pto/proto/operators/v1/positions';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { kilometers } from '@pto/representation';
import type { CallContext } from '@pto/rpc';
import { aPhone, stores } from '@pto/testing';
import { Redis } from 'ioredis';
import {
  type Behind,
  emptyServices,
  type OperatorsUnderTest,
  query,
  startBehind,
  startOperatorsService,
  tokenOf,
} from './operators-service.ts';

/** The drivers of the orders that are under way, and what orders received. */
const drivers = new Map<string, string>();
const asked: { orderId: string; position: { lat: number; lng: number } }[] = [];
const estimateArrival = async (request: {
  orderId: string;
  driverId: string;
  position: { lat: number; lng: number };
}) => {
  if (drivers.get(request.orderId) !== request.driverId)
    throw new Failure('NOT_FOUND', 'There is no such order.');
  asked.push(request);
  return {};
};

let behind: Behind;
const running: OperatorsUnderTest[] = [];
const start = async (redisUrl: string, database?: OperatorsUnderTest['database']) => {
  const under = await startOperatorsService({
    behind,
    ...(database && { database }),
    environment: { OPERATORS_PORTAL_URL: 'https://partners.example', REDIS_URL: redisUrl },
  });
  running.push(under);
  return under;
};
let under: OperatorsUnderTest;
let redis: Redis;
beforeAll(async () => {
  behind = await startBehind(
    emptyServices().map(({ service, handlers }) =>
      service === OrderCommandService
        ? {
            service,
            handlers: {
              ...handlers,
              estimateArrival: (request: never, _: CallContext) => estimateArrival(request),
            },
          }
        : { service, handlers },
    ) as never,
  );
  under = await start(stores().redis!);
  redis = new Redis(stores().redis!);
});
afterAll(async () => {
  redis.disconnect();
  for (const one of running.toReversed()) await one.stop();
  await behind.stop();
});

const as = (credential: string, of = under) => of.client(PositionService, 'operators', credential);

/** A driver with a session, who is under way with an order. */
const aDriver = async (of = under) => {
  const token = await tokenOf(of.database);
  const { carrier } = await of
    .client(CarrierService, 'operators', token)
    .createCarrier({ name: `Carrier ${randomUUID()}` });
  const { driver } = await of
    .client(CarrierService, 'operators', token)
    .createDriver({ carrierId: carrier!.id, name: 'Kim', telephone: '1' });
  const driverId = driver!.id;
  const { url } = await of.client(DriverService, 'operators', token).createDriverLink({ driverId });
  const code = url.split('#')[1]!;
  const phone = await aPhone();
  const { secret } = await of
    .client(DriverSessionService, 'operators')
    .openDriverSession({ code, key: phone.key, signature: await phone.sign(deviceOpening(code)) });
  const orderId = randomUUID();
  drivers.set(orderId, driverId);
  const report = (more: object = {}) =>
    as(secret, of).reportPosition({ orderId, ...here, accuracy: 20, ...more });
  return { driverId, orderId, secret, report };
};
const here = { lat: 52.516281, lng: 13.377704 };
const list = async (orderIds: string[], roles = ['dispatcher']) =>
  (await as(await tokenOf(under.database, roles)).listPositions({ orderIds })).circles;

test('a dispatcher sees the circle of 1 km in which a driver is, and nobody the position', async () => {
  const { driverId, orderId, report } = await aDriver();
  expect(await report()).toMatchObject({ ignored: '' });
  const [circle, ...others] = await list([orderId, randomUUID()]);
  expect(others).toEqual([]);
  expect(circle).toMatchObject({ orderId, driverId });
  expect(kilometers(circle!, here)).toBeLessThan(0.8);
  expect(circle!.lat).toBeCloseTo(52.52, 6);
  expect(await list([orderId], ['support'])).toHaveLength(1);
  const text = await redis.get(`position:${orderId}`);
  expect(text).not.toMatch(/5162|3777/);
  const lasts = await redis.ttl(`position:${orderId}`);
  expect(lasts).toBeGreaterThan(890);
  expect(lasts).toBeLessThanOrEqual(900);
  // orders computes with it
  expect(asked.at(-1)).toMatchObject({ orderId, position: here });
});

test('a circle of the grid has the position of each corner of the world', async () => {
  const corners = [
    ...[here, { lat: -33.8567, lng: 151.2152 }, { lat: 69.6496, lng: 18.956 }],
    ...[
      { lat: 0.004999, lng: -179.9999 },
      { lat: 47.494999, lng: 19.0402 },
    ],
  ];
  for (const corner of corners) {
    const { orderId, report } = await aDriver();
    await report(corner);
    const [circle] = await list([orderId]);
    expect(kilometers(circle!, corner)).toBeLessThan(0.8);
  }
});

test('of an order one position in 60 s counts, and one of another order does, too', async () => {
  const { driverId, orderId, report } = await aDriver();
  const first = await Promise.all(Array.from({ length: 10 }, () => report()));
  expect(first.map(({ ignored }) => ignored).toSorted()).toEqual([
    '',
    ...Array.from({ length: 9 }, () => 'too_soon'),
  ]);
  expect(asked.filter((one) => one.orderId === orderId)).toHaveLength(1);
  const other = randomUUID();
  drivers.set(other, driverId);
  expect(await report({ orderId: other })).toMatchObject({ ignored: '' });
  const keys = await redis.keys(`position-turn:${driverId}:*`);
  expect(keys).toHaveLength(2);
  for (const key of keys) expect(await redis.ttl(key)).toBeLessThanOrEqual(60);
  // as it is 60 s later
  await redis.del(...keys);
  expect(await report()).toMatchObject({ ignored: '' });
});

describe('a position stores nothing', () => {
  test.each<[string, object, object | string]>([
    ['that is inaccurate', { accuracy: 201 }, { ignored: 'inaccurate' }],
    ['beyond the pole', { lat: 90.1 }, 'VALIDATION'],
    ['beyond the date line', { lng: -180.1 }, 'VALIDATION'],
    ['of no number', { lat: Number.NaN }, 'VALIDATION'],
    ['without a radius', { accuracy: -1 }, 'VALIDATION'],
    ['of no order', { orderId: 'order' }, 'NOT_FOUND'],
  ])('%s', async (_, more, expected) => {
    const { orderId, report } = await aDriver();
    const call = report(more);
    if (typeof expected === 'string') await expect(call).rejects.toMatchObject({ kind: expected });
    else expect(await call).toMatchObject(expected);
    expect(await list([orderId])).toEqual([]);
    expect(await report({ accuracy: 200 })).toMatchObject({ ignored: '' });
  });

  test('about the order of another driver, and takes nobody’s turn', async () => {
    const mine = await aDriver();
    const other = await aDriver();
    await expect(mine.report({ orderId: other.orderId })).rejects.toMatchObject({
      kind: 'NOT_FOUND',
    });
    expect(await list([other.orderId])).toEqual([]);
    expect(await redis.keys(`position-turn:${mine.driverId}:*`)).toEqual([]);
    expect(await other.report()).toMatchObject({ ignored: '' });
  });
});

test('a driver lists no positions, and an office reports none', async () => {
  const { orderId, secret } = await aDriver();
  const denied = { kind: 'OPERATOR_NOT_PERMITTED' };
  await expect(as(secret).listPositions({ orderIds: [orderId] })).rejects.toMatchObject(denied);
  await expect(list([orderId], ['auditor'])).rejects.toMatchObject(denied);
  const office = as(await tokenOf(under.database));
  await expect(office.reportPosition({ orderId, ...here, accuracy: 1 })).rejects.toMatchObject(
    denied,
  );
  await expect(list(Array.from({ length: 101 }, () => randomUUID()))).rejects.toMatchObject({
    kind: 'VALIDATION',
  });
  expect(await list(Array.from({ length: 100 }, () => randomUUID()))).toEqual([]);
});

test.each([
  ['without Redis', ''],
  ['while Redis is unavailable', 'redis://127.0.0.1:1'],
])('%s a position is dropped', async (_, url) => {
  const without = await start(url);
  const { orderId, report } = await aDriver(without);
  const before = asked.length;
  expect(await report()).toMatchObject({ ignored: 'unavailable' });
  expect(asked).toHaveLength(before);
  const dispatcher = as(await tokenOf(without.database, ['dispatcher']), without);
  expect((await dispatcher.listPositions({ orderIds: [orderId] })).circles).toEqual([]);
  expect(without.logged.join('')).not.toMatch(/52\.5|13\.37/);
});

test('the audit log has one row an hour of it, and neither it nor a log has a coordinate', async () => {
  const { orderId, driverId, report } = await aDriver();
  for (let n = 0; n < 5; n++) await report();
  const rows = await query<{ request: string }>(
    under.database.ownerUrl,
    'select request from operator_actions where rpc = $1 and target = $2',
    ['operators.v1.PositionService/ReportPosition', orderId],
  );
  expect(rows).toHaveLength(1);
  const everything = await query<{ text: string }>(
    under.database.ownerUrl,
    'select a::text as text from operator_actions a',
  );
  for (const text of [...everything.map(({ text }) => text), ...under.logged])
    expect(text).not.toMatch(/52\.5|13\.37|-33\.8/);
  expect(driverId).not.toBe('');
});
