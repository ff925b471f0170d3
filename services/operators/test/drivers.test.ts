/** Links, phones and sessions of drivers (decisions 84 and 85). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deviceOpening, deviceRenewal } from '@pto/custody-verifier';
import type { Caller } from '@pto/proto/callers';
import { CarrierService } from '@pto/proto/operators/v1/carriers';
import { DriverService, DriverSessionService } from '@pto/proto/operators/v1/drivers';
import { OperatorService } from '@pto/proto/operators/v1/operators';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { aPhone, type Phone } from '@pto/testing';
import {
  type Behind,
  emptyServices,
  query,
  startBehind,
  startOperatorsService,
  tokenOf,
} from './operators-service.ts';

let behind: Behind;
let operators: Awaited<ReturnType<typeof startOperatorsService>>;
/** The calls that reached orders. */
const reached: { rpc: string; caller: Caller }[] = [];
beforeAll(async () => {
  behind = await startBehind(
    emptyServices(async (rpc, caller) => {
      reached.push({ rpc, caller });
      return {};
    }),
  );
  operators = await startOperatorsService({
    behind,
    environment: { OPERATORS_PORTAL_URL: 'https://partners.example' },
  });
});
afterAll(async () => {
  await operators.stop();
  await behind.stop();
});

const office = async () => {
  const token = await tokenOf(operators.database);
  return {
    carriers: operators.client(CarrierService, 'operators', token),
    drivers: operators.client(DriverService, 'operators', token),
  };
};
const sessions = () => operators.client(DriverSessionService, 'operators');

const aDriver = async () => {
  const { carriers, drivers } = await office();
  const { carrier } = await carriers.createCarrier({ name: `Carrier ${randomUUID()}` });
  const carrierId = carrier!.id;
  const { driver } = await carriers.createDriver({ carrierId, name: 'Kim', telephone: '1' });
  const driverId = driver!.id;
  const link = async () => {
    const { url } = await drivers.createDriverLink({ driverId });
    expect(url).toMatch(/^https:\/\/partners\.example\/driver#drl_/);
    return url.split('#')[1]!;
  };
  const open = async (phone: Phone, code?: string) => {
    const used = code ?? (await link());
    const signature = await phone.sign(deviceOpening(used));
    return sessions().openDriverSession({ code: used, key: phone.key, signature });
  };
  return { ...{ carriers, drivers, carrierId, driverId, link, open } };
};
const orders = (secret: string) => operators.client(OrderCommandService, 'orders', secret);
const ended = { kind: 'OPERATOR_NOT_AUTHENTICATED' };

test('a link opens one session on one phone, whose calls reach orders as the driver', async () => {
  const { open, link, driverId, carrierId } = await aDriver();
  const phone = await aPhone();
  const code = await link();
  const signature = await phone.sign(deviceOpening(code));
  const opening = { code, key: phone.key, signature };
  const { secret, session } = await sessions().openDriverSession(opening);
  expect(session).toMatchObject({ driverId, carrierId, driver: 'Kim', environment: 'sandbox' });
  const hours = (Date.parse(session!.expiresAt) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(13.9);
  expect(hours).toBeLessThanOrEqual(14);
  // the response was lost
  expect((await sessions().openDriverSession(opening)).secret).toBe(secret);
  // a copied link
  await expect(open(await aPhone(), code)).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  await expect(open(phone, code)).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  reached.length = 0;
  await orders(secret).listOpenOrders({});
  expect(reached).toEqual([
    {
      rpc: 'ListOpenOrders',
      caller: {
        ...{ process: 'operators', operator: `driver ${driverId}` },
        driver: { driverId, carrierId, key: phone.key },
      },
    },
  ]);
});

test('a driver may call what drives an order, and nothing of the office', async () => {
  const { open, driverId } = await aDriver();
  const { secret } = await open(await aPhone());
  const denied = { kind: 'OPERATOR_NOT_PERMITTED' };
  const client = orders(secret);
  for (const rpc of ['searchOrders', 'assignDriver', 'cancelOrder', 'updateOrder'] as const)
    await expect(client[rpc]({})).rejects.toMatchObject(denied);
  const drivers = operators.client(DriverService, 'operators', secret);
  await expect(drivers.createDriverLink({ driverId })).rejects.toMatchObject(denied);
  await expect(drivers.listDevices({ driverId })).rejects.toMatchObject(denied);
  const own = operators.client(OperatorService, 'operators', secret);
  await expect(own.startSession({})).rejects.toMatchObject(denied);
});

describe('a session ends at once', () => {
  const ends: readonly [
    string,
    (of: Awaited<ReturnType<typeof aDriver>>, secret: string) => Promise<unknown>,
  ][] = [
    [
      'with the driver',
      ({ carriers, driverId: id }) => carriers.updateDriver({ id, active: false }),
    ],
    [
      'with the carrier',
      ({ carriers, carrierId: id }) => carriers.updateCarrier({ id, active: false }),
    ],
    [
      'with a revocation of the phone',
      async ({ drivers, driverId }) => {
        const { devices } = await drivers.listDevices({ driverId });
        await drivers.revokeDevice({ id: devices[0]!.id });
      },
    ],
    ['by the driver', (_, secret) => sessions().endDriverSession({ secret })],
    [
      'at the end of the shift',
      ({ driverId }) =>
        query(
          operators.database.ownerUrl,
          'update driver_sessions set expires_at = clock_timestamp() where driver_id = $1',
          [driverId],
        ),
    ],
  ];
  test.each(ends)('%s', async (_, end) => {
    const driver = await aDriver();
    const { secret } = await driver.open(await aPhone());
    await orders(secret).listOpenOrders({});
    await end(driver, secret);
    await expect(orders(secret).listOpenOrders({})).rejects.toMatchObject(ended);
    await expect(sessions().getDriverSession({ secret })).rejects.toMatchObject(ended);
  });
});

test('a session is prolonged by its phone alone, once for each end', async () => {
  const { open, driverId } = await aDriver();
  const phone = await aPhone();
  const { secret } = await open(phone);
  await query(
    operators.database.ownerUrl,
    `update driver_sessions set expires_at = clock_timestamp() + interval '1 min' where driver_id = $1`,
    [driverId],
  );
  const { session } = await sessions().getDriverSession({ secret });
  const { expiresAt } = session!;
  const by = async (one: Phone) => ({
    ...{ secret, expiresAt },
    signature: await one.sign(deviceRenewal(session!.id, expiresAt)),
  });
  const stolen = sessions().renewDriverSession(await by(await aPhone()));
  await expect(stolen).rejects.toMatchObject({ kind: 'VALIDATION' });
  const renewed = await sessions().renewDriverSession(await by(phone));
  expect(Date.parse(renewed.session!.expiresAt) - Date.now()).toBeGreaterThan(13.9 * 3_600_000);
  const repeated = await sessions().renewDriverSession(await by(phone));
  expect(repeated.session!.expiresAt).toBe(renewed.session!.expiresAt);
});

describe('a key belongs to one driver', () => {
  test('and is the same device in the next shift', async () => {
    const { open, drivers, driverId } = await aDriver();
    const phone = await aPhone();
    const [first, second] = [await open(phone), await open(phone)];
    expect(second.session!.deviceId).toBe(first.session!.deviceId);
    const { devices } = await drivers.listDevices({ driverId });
    expect(devices).toMatchObject([
      { key: phone.key, driverId, sessionUntil: second.session!.expiresAt, revokedAt: '' },
    ]);
  });
  test('another driver cannot bind it, nor anybody after its revocation', async () => {
    const [one, two] = [await aDriver(), await aDriver()];
    const phone = await aPhone();
    const { session } = await one.open(phone);
    const rejected = { kind: 'VALIDATION', message: expect.stringContaining('make a new one') };
    const code = await two.link();
    await expect(two.open(phone, code)).rejects.toMatchObject(rejected);
    expect((await two.open(await aPhone(), code)).secret).toMatch(/^drv_/);
    await one.drivers.revokeDevice({ id: session!.deviceId });
    await expect(one.open(phone)).rejects.toMatchObject(rejected);
  });
  test('and is bound by who has it', async () => {
    const { link } = await aDriver();
    const [phone, thief] = [await aPhone(), await aPhone()];
    const code = await link();
    const signature = await thief.sign(deviceOpening(code));
    for (const key of [phone.key, 'no key', ''])
      await expect(sessions().openDriverSession({ code, key, signature })).rejects.toMatchObject({
        kind: 'VALIDATION',
      });
  });
});

test('a revocation reaches orders with its time, which is never later than now', async () => {
  const { open, drivers } = await aDriver();
  const { session } = await open(await aPhone());
  reached.length = 0;
  const from = '2026-01-01T00:00:00.000Z';
  const { device } = await drivers.revokeDevice({ id: session!.deviceId, from });
  expect(device).toMatchObject({ revokedFrom: from });
  // a repetition keeps the first time
  const again = await drivers.revokeDevice({ id: session!.deviceId, from: '2099-01-01T00:00:00Z' });
  expect(again.device).toEqual(device);
  expect(reached.map(({ rpc }) => rpc)).toEqual([
    'RecordDeviceRevocation',
    'RecordDeviceRevocation',
  ]);
  const other = await open(await aPhone());
  const late = await drivers.revokeDevice({
    id: other.session!.deviceId,
    from: '2099-01-01T00:00:00Z',
  });
  expect(Date.parse(late.device!.revokedFrom)).toBeLessThanOrEqual(Date.now() + 1000);
});

test('the newest link of a driver is the one that works, and none outlives its driver', async () => {
  const driver = await aDriver();
  const [old, code] = [await driver.link(), await driver.link()];
  const phone = await aPhone();
  await expect(driver.open(phone, old)).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  await driver.carriers.updateDriver({ id: driver.driverId, active: false });
  await expect(driver.link()).rejects.toMatchObject({ kind: 'VALIDATION' });
  await expect(driver.open(phone, code)).rejects.toMatchObject(ended);
});

test('no log and no audit row has a code, a secret or the name of a driver', async () => {
  const { open, link } = await aDriver();
  const code = await link();
  const { secret } = await open(await aPhone(), code);
  await orders(secret).listOpenOrders({});
  const rows = await query(
    operators.database.ownerUrl,
    `select * from operator_actions where credential = 'device'`,
  );
  expect(rows.length).toBeGreaterThan(0);
  const seen = `${JSON.stringify(rows)}${operators.logged.join('')}`;
  for (const text of [code, secret, 'Kim']) expect(seen).not.toContain(text);
});
