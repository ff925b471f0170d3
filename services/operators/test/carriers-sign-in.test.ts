/** Dispatchers of carriers: their credentials, and what they reach (decision 84). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Caller } from '@pto/proto/callers';
import { CarrierService } from '@pto/proto/operators/v1/carriers';
import { DriverService } from '@pto/proto/operators/v1/drivers';
import { OperatorService } from '@pto/proto/operators/v1/operators';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { freePort } from '@pto/testing';
import { boundDevice } from './bound-device.ts';
import { idToken, type Key, newKey, providerSettings, startProvider } from './openid-provider.ts';
import {
  type Behind,
  emptyServices,
  startBehind,
  startOperatorsService,
  tokenOf,
} from './operators-service.ts';

let behind: Behind;
let key: Key;
let provider: Awaited<ReturnType<typeof startProvider>>;
let operators: Awaited<ReturnType<typeof startOperatorsService>>;
/** The calls that reached orders. */
const reached: { rpc: string; caller: Caller }[] = [];
/** The carrier of each order. */
let carrierOfOrders = '';
beforeAll(async () => {
  behind = await startBehind(
    emptyServices(async (rpc, caller) => {
      reached.push({ rpc, caller });
      return rpc === 'ShowOrder' ? { order: { carrierId: carrierOfOrders } } : {};
    }),
  );
  key = await newKey('one');
  provider = await startProvider(await freePort(), key);
  operators = await startOperatorsService({
    behind,
    environment: {
      ...providerSettings(provider.issuer),
      OPERATORS_OIDC_ROLES: 'carrier=carriers,support=support',
      OPERATORS_PORTAL_URL: 'https://partners.example',
    },
  });
});
afterAll(async () => {
  await operators.stop();
  await provider.stop();
  await behind.stop();
});

const as = (token: string) => ({
  own: operators.client(OperatorService, 'operators', token),
  carriers: operators.client(CarrierService, 'operators', token),
  drivers: operators.client(DriverService, 'operators', token),
  orders: operators.client(OrderCommandService, 'orders', token),
});
const expiresInSeconds = 3600n;

/** A carrier with a driver, and what its dispatcher calls with a token. */
const aCarrier = async () => {
  const office = as(await tokenOf(operators.database));
  const { carrier } = await office.carriers.createCarrier({ name: `Carrier ${randomUUID()}` });
  const { id: carrierId } = carrier!;
  const { driver } = await office.carriers.createDriver({ carrierId, name: 'Kim' });
  const asked = {
    name: 'Dispatcher of a carrier',
    roles: ['carrier'],
    carrierId,
    expiresInSeconds,
  };
  const { secret, token } = await office.own.issueToken(asked);
  expect(token).toMatchObject({ roles: ['carrier'], carrierId });
  return { office, carrierId, driverId: driver!.id, secret, ...as(secret) };
};
const notFound = { kind: 'NOT_FOUND' };
const orderId = randomUUID();

test('calls reach orders with the carrier, by the token and by a session from it', async () => {
  const { orders, own, carrierId } = await aCarrier();
  const { secret } = await own.startSession({});
  reached.length = 0;
  await orders.listOpenOrders({});
  await as(secret).orders.listOpenOrders({});
  const caller = {
    process: 'operators',
    operator: 'Dispatcher of a carrier',
    carrier: { carrierId },
  };
  expect(reached.map((one) => one.caller)).toEqual([caller, caller]);
});

test('a carrier may do nothing of the office', async () => {
  const { orders, own, carriers, carrierId } = await aCarrier();
  const denied = { kind: 'OPERATOR_NOT_PERMITTED' };
  for (const rpc of ['assignOrder', 'cancelOrder', 'closeOrder', 'searchOrders'] as const)
    await expect(orders[rpc]({})).rejects.toMatchObject(denied);
  await expect(carriers.updateCarrier({ id: carrierId, name: 'B' })).rejects.toMatchObject(denied);
  await expect(own.listTokens({})).rejects.toMatchObject(denied);
});

test('records and phones of other carriers do not exist for a carrier', async () => {
  const [mine, other] = [await aCarrier(), await aCarrier()];
  const { carriers, drivers } = mine;
  const listed = await carriers.listCarriers({});
  expect(listed.carriers.map(({ id }) => id)).toEqual([mine.carrierId]);
  const own = { carrierId: '', name: '' };
  expect((await carriers.listDrivers(own)).drivers.map(({ id }) => id)).toEqual([mine.driverId]);
  expect((await carriers.listDrivers({ carrierId: other.carrierId })).drivers).toEqual([]);
  const theirs = { carrierId: other.carrierId, name: 'Lee' };
  await expect(carriers.createDriver(theirs)).rejects.toMatchObject(notFound);
  const renamed = { id: other.driverId, name: 'Lee' };
  await expect(carriers.updateDriver(renamed)).rejects.toMatchObject(notFound);
  const { driverId } = other;
  await expect(drivers.createDriverLink({ driverId })).rejects.toMatchObject(notFound);
  await expect(drivers.listDevices({ driverId })).rejects.toMatchObject(notFound);

  await carriers.createDriver({ carrierId: mine.carrierId, name: 'Lee' });
  await carriers.updateDriver({ id: mine.driverId, name: 'Kim B' });
  expect((await drivers.createDriverLink({ driverId: mine.driverId })).url).toContain('#drl_');
  expect((await drivers.listDevices({ driverId: mine.driverId })).devices).toEqual([]);
});

test('a phone of another carrier is not revoked, and of the own carrier it is', async () => {
  const [mine, other] = [await aCarrier(), await aCarrier()];
  const id = await boundDevice(operators, other.driverId);
  await expect(mine.drivers.revokeDevice({ id })).rejects.toMatchObject(notFound);
  const { device } = await other.drivers.revokeDevice({ id });
  expect(device!.revokedAt).not.toBe('');
});

test('a carrier assigns drivers of its own by their records alone', async () => {
  const [mine, other] = [await aCarrier(), await aCarrier()];
  carrierOfOrders = mine.carrierId;
  const circumstances = { orderId };
  const wrong = { kind: 'VALIDATION' };
  const byName = { circumstances, driver: 'Somebody' };
  await expect(mine.orders.assignDriver(byName)).rejects.toMatchObject(wrong);
  const theirs = { circumstances, driverId: other.driverId };
  await expect(mine.orders.assignDriver(theirs)).rejects.toMatchObject(wrong);
  const own = { circumstances, driverId: mine.driverId };
  await mine.orders.assignDriver(own);
  expect(reached.at(-1)!.rpc).toBe('AssignDriver');
});

test('tokens, sessions and ID tokens end with the carrier, and go on when it is active again', async () => {
  const { office, secret, own, carrierId } = await aCarrier();
  const signedIn = await byIdToken({ groups: 'carriers', carrier_id: carrierId });
  const secrets = [secret, (await own.startSession({})).secret, signedIn];
  secrets.push((await as(signedIn).own.startSession({})).secret);
  const set = (active: boolean) => office.carriers.updateCarrier({ id: carrierId, active });
  await set(false);
  for (const one of secrets)
    await expect(as(one).orders.listOpenOrders({})).rejects.toMatchObject({
      kind: 'OPERATOR_NOT_AUTHENTICATED',
      message: expect.stringContaining('carrier is not active'),
    });
  await set(true);
  for (const one of secrets) await as(one).orders.listOpenOrders({});
});

const byIdToken = (claims: object) =>
  idToken(provider.issuer, key, { sub: randomUUID(), ...claims });

test('an ID token with the role carrier reaches orders with the carrier of its claim', async () => {
  const { carrierId } = await aCarrier();
  const { orders } = as(await byIdToken({ groups: ['carriers'], carrier_id: carrierId }));
  reached.length = 0;
  await orders.listOpenOrders({});
  expect(reached.map(({ caller }) => caller)).toMatchObject([{ carrier: { carrierId } }]);
});

test.each([
  ['without the claim', undefined],
  ['with a claim that is no id', 'every'],
])('an ID token with the role carrier has no role %s', async (_, carrier_id) => {
  const { orders } = as(await byIdToken({ groups: ['carriers'], carrier_id }));
  await expect(orders.listOpenOrders({})).rejects.toMatchObject({ kind: 'OPERATOR_NOT_PERMITTED' });
});

test('an ID token with the role carrier for a carrier that does not exist is rejected', async () => {
  const { orders } = as(await byIdToken({ groups: ['carriers'], carrier_id: randomUUID() }));
  await expect(orders.listOpenOrders({})).rejects.toMatchObject({
    kind: 'OPERATOR_NOT_AUTHENTICATED',
  });
});

test('beside another role the role carrier counts for nothing', async () => {
  const { carrierId } = await aCarrier();
  const groups = ['carriers', 'support'];
  const { own, orders } = as(await byIdToken({ groups, carrier_id: carrierId }));
  expect((await own.whoAmI({})).roles).toEqual(['support']);
  reached.length = 0;
  await orders.listOpenOrders({});
  expect(reached[0]!.caller).not.toHaveProperty('carrier');
});

test.each([
  ['without a carrier', ['carrier'], ''],
  ['beside another role', ['carrier', 'admin'], 'its own'],
  ['of a carrier for another role', ['admin'], 'its own'],
  ['of a carrier that does not exist', ['carrier'], randomUUID()],
])('no token is issued %s', async (_, roles, carrierId) => {
  const { office, carrierId: own } = await aCarrier();
  const asked = {
    ...{ name: 'A', roles, expiresInSeconds },
    ...(carrierId && { carrierId: carrierId === 'its own' ? own : carrierId }),
  };
  await expect(office.own.issueToken(asked)).rejects.toMatchObject({ kind: 'VALIDATION' });
});
