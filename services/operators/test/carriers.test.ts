/** Records of carriers and drivers, and what they add to the commands that are forwarded. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OperatorRole } from '@pto/proto/callers';
import { CarrierService } from '@pto/proto/operators/v1/carriers';
import { AuditService } from '@pto/proto/operators/v1/operators';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { implement } from '@pto/rpc';
import {
  type OperatorsUnderTest,
  query,
  startBehind,
  startOperatorsService,
  tokenOf,
} from './operators-service.ts';

const orderId = '01900000-0000-7000-8000-000000000001';
const unknown = '01900000-0000-7000-8000-00000000ffff';
const circumstances = { orderId };

/** The record of the order's carrier, by the service behind; undefined: a name alone. */
let carrierOfOrder: string | undefined;
let forwarded: Record<string, unknown>[] = [];
let under: OperatorsUnderTest;
let behind: Awaited<ReturnType<typeof startBehind>>;
let token: string;
beforeAll(async () => {
  const keep = async (request: Record<string, unknown>) => {
    forwarded.push(request);
    return {};
  };
  behind = await startBehind((name) =>
    name === 'orders'
      ? [
          implement(OrderCommandService, {
            showOrder: async () => ({
              order: { ...(carrierOfOrder && { carrierId: carrierOfOrder }) },
            }),
            ...{ assignOrder: keep, assignDriver: keep },
          } as never),
        ]
      : [],
  );
  under = await startOperatorsService({ behind });
  token = await tokenOf(under.database);
});
afterAll(async () => {
  await under?.stop();
  await behind?.stop();
});

const records = () => under.client(CarrierService, 'operators', token);
const orders = () => under.client(OrderCommandService, 'orders', token);
const invalid = (message: string) => ({
  kind: 'VALIDATION',
  message: expect.stringContaining(message),
});
let made = 0;
const aCarrier = async (name = `Carrier ${++made}`) =>
  (await records().createCarrier({ name, telephone: '+49 30 1' })).carrier!;
const aDriver = async (carrierId: string, name = `Driver ${++made}`) =>
  (await records().createDriver({ carrierId, name })).driver!;

test('carriers and drivers are made, changed field by field, and listed', async () => {
  const carrier = await aCarrier();
  expect(carrier).toMatchObject({ telephone: '+49 30 1', active: true });
  const driver = await aDriver(carrier.id, ' Kim ');
  expect(driver).toMatchObject({ carrierId: carrier.id, name: 'Kim', telephone: '', active: true });
  const { id } = driver;
  const { driver: called } = await records().updateDriver({ id, telephone: '0171 2' });
  expect(called).toEqual({ ...driver, telephone: '0171 2' });
  const { driver: gone } = await records().updateDriver({ id, active: false });
  expect(gone).toEqual({ ...called, active: false });
  const other = await aDriver((await aCarrier()).id);
  expect((await records().listDrivers({ carrierId: carrier.id })).drivers).toEqual([gone]);
  const all = (await records().listDrivers({})).drivers;
  expect(all.map((one) => one.id)).toEqual(expect.arrayContaining([id, other.id]));
  expect((await records().listCarriers({})).carriers).toContainEqual(carrier);
});

test('the end of a carrier says how many active drivers it has, and leaves them as they are', async () => {
  const carrier = await aCarrier();
  const [one, other] = [await aDriver(carrier.id), await aDriver(carrier.id)];
  await records().updateDriver({ id: other.id, active: false });
  const ended = await records().updateCarrier({ id: carrier.id, active: false });
  expect(ended).toMatchObject({ carrier: { active: false }, activeDrivers: 1 });
  const { drivers } = await records().listDrivers({ carrierId: carrier.id });
  expect(drivers).toContainEqual(one);
});

test('a page has 100 rows, and says where the next one begins', async () => {
  const carrier = await aCarrier();
  await query(
    under.database.ownerUrl,
    `insert into drivers (id, carrier_id, name, telephone)
     select gen_random_uuid(), $1, 'D' || n, '' from generate_series(1, 101) n`,
    [carrier.id],
  );
  const first = await records().listDrivers({ carrierId: carrier.id });
  const rest = await records().listDrivers({ carrierId: carrier.id, afterId: first.nextId });
  expect([first.drivers.length, rest.drivers.length, rest.nextId]).toEqual([100, 1, '']);
});

describe('a name', () => {
  test('belongs to one active carrier, in any case, and to an inactive one besides', async () => {
    const { id, name } = await aCarrier();
    const taken = invalid('another active carrier has this name');
    await expect(aCarrier(name.toUpperCase())).rejects.toMatchObject(taken);
    await records().updateCarrier({ id, active: false });
    await aCarrier(name);
    await expect(records().updateCarrier({ id, active: true })).rejects.toMatchObject(taken);
  });

  test('belongs to one active driver of a carrier, and to drivers of others', async () => {
    const [one, other] = [await aCarrier(), await aCarrier()];
    await aDriver(one.id, 'Robin');
    await expect(aDriver(one.id, 'robin')).rejects.toMatchObject(
      invalid('another active driver of the carrier has this name'),
    );
    await aDriver(other.id, 'Robin');
    const { id } = await aDriver(one.id, 'Robert');
    await expect(records().updateDriver({ id, name: 'Robin' })).rejects.toMatchObject(
      invalid('another active driver'),
    );
  });

  test.each(['', '  ', 'a\nb', 'a\u202eb', 'n'.repeat(201)])('%j is rejected', async (name) => {
    await expect(aCarrier(name)).rejects.toMatchObject({ kind: 'VALIDATION' });
  });

  test('of 200 characters in any script is taken', async () => {
    const name = `Kurier Größe & مستشفى ${++made} `.padEnd(200, 'n');
    expect((await aCarrier(name)).name).toBe(name);
  });
});

test('telephones of more than 50 characters, and unknown carriers and drivers are rejected', async () => {
  const { id } = await aCarrier();
  const long = records().updateCarrier({ id, telephone: '1'.repeat(51) });
  await expect(long).rejects.toMatchObject(invalid('0 to 50'));
  await expect(records().updateCarrier({ id })).rejects.toMatchObject(invalid('at least one'));
  for (const none of [unknown, 'x'])
    for (const call of [
      () => aDriver(none),
      () => records().updateCarrier({ id: none, active: true }),
      () => records().updateDriver({ id: none, active: true }),
    ])
      await expect(call()).rejects.toMatchObject({ kind: 'NOT_FOUND' });
});

test.each([
  ['support', false],
  ['auditor', false],
  ['dispatcher', true],
  ['admin', true],
] as const)('%s reads records, and changes them: %s', async (role: OperatorRole, may) => {
  const carrier = await aCarrier();
  const own = under.client(
    CarrierService,
    'operators',
    await tokenOf(under.database, [role], `${role} ${++made}`),
  );
  expect((await own.listCarriers({})).carriers).toContainEqual(carrier);
  expect((await own.listDrivers({ carrierId: carrier.id })).drivers).toEqual([]);
  const driver = await aDriver(carrier.id);
  for (const change of [
    () => own.createCarrier({ name: `Carrier ${++made}` }),
    () => own.updateCarrier({ id: carrier.id, telephone: '1' }),
    () => own.createDriver({ carrierId: carrier.id, name: 'Kim' }),
    () => own.updateDriver({ id: driver.id, telephone: '1' }),
  ])
    if (may) await change();
    else await expect(change()).rejects.toMatchObject({ kind: 'OPERATOR_NOT_PERMITTED' });
});

describe('a command with a record', () => {
  /** Sends a command. @returns what orders received; a rejection: nothing. */
  const sent = async (call: Promise<unknown>) => {
    forwarded = [];
    await call;
    return forwarded[0];
  };
  const assign = (request: object) => sent(orders().assignOrder({ circumstances, ...request }));
  const drive = (request: object) => sent(orders().assignDriver({ circumstances, ...request }));
  const rejected = async (call: Promise<unknown>, message: string) => {
    await expect(call).rejects.toMatchObject(invalid(message));
    expect(forwarded).toEqual([]);
  };

  test('is forwarded with the name of the record', async () => {
    const { id: carrierId, name } = await aCarrier();
    expect(await assign({ carrierId })).toMatchObject({ carrierId, transportOrganization: name });
    const { id: driverId, name: driver } = await aDriver(carrierId);
    carrierOfOrder = carrierId;
    expect(await drive({ driverId })).toMatchObject({ driverId, driver });
    // the name that it has anyway
    expect(await drive({ driverId, driver })).toMatchObject({ driverId, driver });
  });

  test('needs none: a name alone is forwarded as it is', async () => {
    const request = await assign({ transportOrganization: 'Any' });
    expect(request).toMatchObject({ transportOrganization: 'Any' });
    expect(request!.carrierId).toBeUndefined();
    expect((await drive({ driver: 'Kim' }))!.driverId).toBeUndefined();
  });

  test('is rejected for a record that does not exist, is not active, or has another name', async () => {
    const carrier = await aCarrier();
    const driver = await aDriver(carrier.id);
    carrierOfOrder = carrier.id;
    for (const none of [unknown, 'x', carrier.id])
      await rejected(drive({ driverId: none }), 'no driver has this id');
    for (const none of [unknown, driver.id])
      await rejected(assign({ carrierId: none }), 'no carrier has this id');
    const named = { carrierId: carrier.id, transportOrganization: 'Another' };
    await rejected(assign(named), 'has another name');
    await rejected(drive({ driverId: driver.id, driver: 'Another' }), 'has another name');
    await records().updateDriver({ id: driver.id, active: false });
    await rejected(drive({ driverId: driver.id }), 'the driver is not active');
    await records().updateDriver({ id: driver.id, active: true });
    await records().updateCarrier({ id: carrier.id, active: false });
    await rejected(drive({ driverId: driver.id }), "the driver's carrier is not active");
    await rejected(assign({ carrierId: carrier.id }), 'the carrier is not active');
  });

  test("names a driver of the order's carrier, or any driver if the carrier is a name alone", async () => {
    const [own, other] = [await aCarrier(), await aCarrier()];
    const { id: driverId } = await aDriver(own.id);
    carrierOfOrder = other.id;
    await rejected(drive({ driverId }), "does not belong to the order's carrier");
    carrierOfOrder = undefined;
    expect(await drive({ driverId })).toMatchObject({ driverId });
  });
});

test('the audit log has who was made, and no name or telephone of a driver', async () => {
  const { id: carrierId } = await aCarrier('Audited Carrier');
  const { id } = await aDriver(carrierId, 'Canary Kern');
  await records().updateDriver({ id, name: 'Canary Two', telephone: '0171 4711' });
  carrierOfOrder = carrierId;
  await orders().assignDriver({ circumstances, driverId: id });
  const audit = under.client(AuditService, 'operators', token);
  const { actions } = await audit.listActions({ pageSize: 4, changesOnly: true });
  const text = JSON.stringify(actions.map(({ request, target }) => [request, target]));
  expect(text).not.toMatch(/Canary|4711|"driverId\\":\\"[0-9a-f]/);
  expect(actions.map(({ target, createdId }) => [target, createdId])).toEqual([
    [orderId, ''],
    [id, ''],
    [carrierId, id],
    ['Audited Carrier', carrierId],
  ]);
});

test("the partners' gateway reads no record", async () => {
  for (const table of ['carriers', 'drivers'])
    await expect(query(under.database.serviceUrl, `select 1 from ${table}`)).rejects.toMatchObject({
      code: '42501',
    });
});
