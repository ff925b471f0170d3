/** Records that a driver's phone signs (decisions 84 and 85). */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deviceRecordOf, isDeviceSignature } from '@pto/custody-verifier';
import { aPhone, type Phone, type PhoneStep, pngPicture } from '@pto/testing';
import { Client } from 'pg';
import { type OrdersUnderTest, startOrdersService } from '../orders-service.ts';
import { aHandover, anOrderThat } from './an-order-in-transit.ts';

let under: OrdersUnderTest;
let commands: OrdersUnderTest['commands'];
let bus: Client;
let phone: Phone;
beforeAll(async () => {
  under = await startOrdersService();
  commands = under.commands;
  phone = await aPhone();
  bus = new Client(under.database.ownerUrl);
  await bus.connect();
});
afterAll(async () => {
  await bus.end();
  await under.stop();
});

/** An order of a driver's record, and the driver's calls on it. */
const anOrderOf = async (driver = { driverId: randomUUID(), carrierId: randomUUID() }) => {
  const order = await anOrderThat(under, 'SUBMITTED');
  const { circumstances, orderId } = order;
  const { carrierId, driverId } = driver;
  await under.commands.assignOrder({ circumstances, transportOrganization: 'B', carrierId });
  await under.commands.acceptOrder({ circumstances });
  await under.commands.assignDriver({ circumstances, driver: 'Kim', driverId });
  const calling = { party: { ...driver, key: phone.key } };
  const record = (internalType: string, more: Partial<PhoneStep> = {}) =>
    phone.record(driver, { orderId, internalType, ...more });
  return { ...order, driver, calling, record };
};
/** What orders has published of an order. */
const published = async (orderId: string) => {
  const { rows } = await bus.query(
    `select sequence, digest from produced_events where order_id = $1 order by sequence`,
    [orderId],
  );
  return rows;
};
const statusOf = async (orderId: string) =>
  (await under.commands.showOrder({ orderId })).order!.status;

test("a driver's phone takes an order from the pick-up to its delivery", async () => {
  const { orderId, record, calling } = await anOrderOf();
  const position = { lat: 52.5, lng: 13.4 };
  const at = async (internalType: string, more: Partial<PhoneStep> = {}) => ({
    circumstances: await record(internalType, more),
  });
  await commands.recordArrival(
    { ...(await at('DRIVER_ARRIVED', { payload: { stop: 'pickup' }, position })), stop: 'pickup' },
    calling,
  );
  await commands.startPickup(await at('PICKUP_STARTED'), calling);
  const sealIds = ['S-1', 'S-2'];
  await commands.sealOrder(
    { ...(await at('SEAL_APPLIED', { payload: { seal_ids: sealIds } })), sealIds },
    calling,
  );
  await commands.startTransport(await at('TRANSPORT_STARTED'), calling);
  const note = 'a tyre';
  await commands.reportIncident(
    { ...(await at('INCIDENT_REPORTED', { payload: { note } })), note },
    calling,
  );
  const { order } = await commands.deliverOrder(await at('CUSTODY_TRANSFERRED'), calling);
  expect(order).toMatchObject({ status: 'DELIVERED' });
  expect(await published(orderId)).toHaveLength(10);
});

describe('evidence of a phone', () => {
  const picture = pngPicture(7);
  const digestOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');
  const fileOf = (content: Uint8Array, media_type: string) => ({
    ...{ sha256: digestOf(content), media_type, size: content.length },
  });
  const readingsAt = (value: string) => {
    const content = Buffer.from(`time,value\n${new Date().toISOString()},${value}\n`);
    const signed = { device_id: 'phone', unit: 'celsius', readings: fileOf(content, 'text/csv') };
    const readings = { content, mediaType: 'text/csv', deviceId: 'phone', unit: 'celsius' };
    return { signed, readings };
  };

  test('readings are signed by their file, and their summary is that of the file', async () => {
    const { record, calling } = await anOrderOf();
    const { signed, readings } = readingsAt('4.5');
    const circumstances = await record('CONDITION_RECORDED', { payload: signed });
    const { payloadJson } = await commands.recordCondition({ circumstances, readings }, calling);
    expect(JSON.parse(payloadJson)).toMatchObject({ maximum: 4.5, recorded_by: 'driver' });
    const other = readingsAt('5.5');
    const forged = await record('CONDITION_RECORDED', { payload: signed });
    const rejected = { circumstances: forged, readings: other.readings };
    await expect(commands.recordCondition(rejected, calling)).rejects.toMatchObject({
      kind: 'VALIDATION',
      message: expect.stringContaining('did not sign'),
    });
    const more = await record('CONDITION_RECORDED', { payload: other.signed });
    const added = { ...more, payloadJson: '{"reference":"R-1"}' };
    await expect(
      commands.recordCondition({ circumstances: added, readings: other.readings }, calling),
    ).rejects.toMatchObject({ kind: 'VALIDATION' });
  });

  test('readings of an order that another driver has are kept, once, with their file', async () => {
    const { orderId, circumstances, record, calling } = await anOrderOf();
    const { signed, readings } = readingsAt('6.5');
    const late = {
      circumstances: await record('CONDITION_RECORDED', { payload: signed }),
      readings,
    };
    await commands.releaseDriver({ circumstances });
    for (const attempt of [1, 2])
      await expect([
        attempt,
        await commands.recordCondition(late, calling).catch(({ details }) => details.kept_entry),
      ]).toEqual([attempt, 6]);
    const { content } = await commands.exportArtifact({ orderId, sha256: signed.readings.sha256 });
    expect(Buffer.from(content).equals(readings.content)).toBe(true);
    expect(await published(orderId)).toHaveLength(6);
  });

  test('an incident has the picture that the phone signed', async () => {
    const { orderId, record, calling } = await anOrderOf();
    const artifact = { content: picture, mediaType: 'image/png' };
    const payload = { note: 'a dent', kind: 'damage', artifact: fileOf(picture, 'image/png') };
    const report = async (file: typeof artifact) => ({
      circumstances: await record('INCIDENT_REPORTED', { payload }),
      ...{ note: 'a dent', kind: 'damage', artifact: file },
    });
    await commands.reportIncident(await report(artifact), calling);
    const { content } = await commands.exportArtifact({ orderId, sha256: digestOf(picture) });
    expect(Buffer.from(content).equals(picture)).toBe(true);
    const other = { ...artifact, content: Buffer.concat([picture, Buffer.of(0)]) };
    await expect(commands.reportIncident(await report(other), calling)).rejects.toMatchObject({
      kind: 'VALIDATION',
    });
    expect(await published(orderId)).toHaveLength(5);
  });
});

describe('a record is rejected, and nothing is stored', () => {
  const rejected = async (
    change: (of: Awaited<ReturnType<typeof anOrderOf>>) => Promise<{
      readonly circumstances: object;
      readonly calling?: object;
    }>,
  ) => {
    const of = await anOrderOf();
    const { circumstances, calling = of.calling } = await change(of);
    const failure = await commands.startPickup({ circumstances }, calling).catch((error) => error);
    expect(await statusOf(of.orderId)).toBe('DRIVER_ASSIGNED');
    expect(await published(of.orderId)).toHaveLength(4);
    const honest = { circumstances: await of.record('PICKUP_STARTED') };
    expect((await commands.startPickup(honest, of.calling)).order!.status).toBe('PICKUP_STARTED');
    return `${failure.kind} ${failure.message}`;
  };
  const start = 'PICKUP_STARTED';

  test('without a record', async () => {
    expect(
      await rejected(async ({ orderId }) => ({
        circumstances: { orderId, commandId: randomUUID() },
      })),
    ).toMatch(/VALIDATION device: a driver's command needs/);
  });
  test('of a phone that has no session', async () => {
    const other = await aPhone();
    expect(
      await rejected(async ({ orderId, driver }) => ({
        circumstances: await other.record(driver, { orderId, internalType: start }),
      })),
    ).toMatch(/VALIDATION device.public_key/);
  });
  test('of another step', async () => {
    expect(
      await rejected(async ({ record }) => ({
        circumstances: await record('CUSTODY_TRANSFERRED'),
      })),
    ).toMatch(/did not sign/);
  });
  test('of another order', async () => {
    const other = await anOrderOf();
    expect(
      await rejected(async ({ orderId, driver }) => ({
        circumstances: {
          ...(await phone.record(driver, { orderId: other.orderId, internalType: start })),
          orderId,
        },
      })),
    ).toMatch(/did not sign/);
  });
  test('of another driver on the same phone', async () => {
    expect(
      await rejected(async ({ orderId, driver }) => ({
        circumstances: await phone.record(
          { ...driver, driverId: randomUUID() },
          { orderId, internalType: start },
        ),
      })),
    ).toMatch(/did not sign/);
  });
  test.each(['at', 'seenEntry', 'commandId', 'position', 'payload'])(
    'with another %s than it signs',
    async (member) => {
      expect(
        await rejected(async ({ record }) => {
          const signed = await record(start);
          const changed = {
            at: { device: { ...signed.device, at: '2026-01-01T00:00:00.000Z' } },
            seenEntry: { device: { ...signed.device, seenEntry: 1, seenHash: 'a'.repeat(64) } },
            commandId: { commandId: randomUUID() },
            position: { position: { lat: 1, lng: 2 } },
            payload: { payloadJson: '{"reference":"R"}' },
          }[member];
          return { circumstances: { ...signed, ...changed } };
        }),
      ).toMatch(/did not sign/);
    },
  );
  test("on another driver's order", async () => {
    const thief = { driverId: randomUUID(), carrierId: randomUUID() };
    expect(
      await rejected(async ({ orderId }) => ({
        circumstances: await phone.record(thief, { orderId, internalType: start }),
        calling: { party: { ...thief, key: phone.key } },
      })),
    ).toMatch(/NOT_FOUND/);
  });
  test('with a time of its own for the entry', async () => {
    expect(
      await rejected(async ({ record }) => ({
        circumstances: { ...(await record(start)), at: '2026-12-01T08:00:00Z' },
      })),
    ).toMatch(/VALIDATION at/);
  });
});

test('an office sends no record of a device, and no member that only a device has', async () => {
  const { record, orderId } = await anOrderOf();
  const forged = { circumstances: await record('PICKUP_STARTED') };
  await expect(under.commands.startPickup(forged)).rejects.toMatchObject({ kind: 'VALIDATION' });
  for (const member of ['device', 'kept']) {
    const payloadJson = JSON.stringify({ [member]: { v: 'device/1' } });
    await expect(
      under.commands.startPickup({ circumstances: { orderId, payloadJson } }),
    ).rejects.toMatchObject({ kind: 'VALIDATION' });
  }
  expect(await statusOf(orderId)).toBe('DRIVER_ASSIGNED');
});

describe('a record that the order rejects is kept as it was signed', () => {
  test('after a cancellation, once, with the failure at each repetition', async () => {
    const { orderId, record, calling, circumstances } = await anOrderOf();
    const late = { circumstances: await record('PICKUP_STARTED') };
    await under.commands.cancelOrder({ circumstances, reason: 'r' });
    const failures = [];
    for (let n = 0; n < 2; n++)
      failures.push(await commands.startPickup(late, calling).catch((error) => error));
    for (const failure of failures)
      expect(failure).toMatchObject({ kind: 'ILLEGAL_TRANSITION', details: { kept_entry: 6 } });
    expect(await published(orderId)).toHaveLength(6);
    expect(await statusOf(orderId)).toBe('CANCELLED');
  });

  test('after another driver took the order over, with its personal values', async () => {
    const { orderId, record, calling, circumstances } = await anOrderOf();
    const note = 'Canary saw smoke';
    const mine = {
      circumstances: await record('INCIDENT_REPORTED', { payload: { note } }),
      note,
    };
    await under.commands.releaseDriver({ circumstances });
    const driverId = randomUUID();
    await under.commands.assignDriver({ circumstances, driver: 'Robin', driverId });
    await expect(commands.reportIncident(mine, calling)).rejects.toMatchObject({
      kind: 'ILLEGAL_TRANSITION',
      details: { kept_entry: 7 },
    });
    const { disclosures, order } = await under.commands.showOrder({ orderId });
    expect(disclosures.at(-1)).toMatchObject({ entry: 7, field: 'note' });
    expect(order!.openIncidentsJson ?? '[]').toBe('[]');
    await expect(commands.showOrder({ orderId }, calling)).rejects.toMatchObject({
      kind: 'NOT_FOUND',
    });
  });

  test('with the file of its handover', async () => {
    const { orderId, record, calling, circumstances, organizationId } = await anOrderOf();
    await under.commands.cancelOrder({ circumstances, reason: 'r' });
    const handover = aHandover();
    const payload = {
      ...{ v: 'handover/1', stage: 'pickup', methods: ['pin'] },
      from: { party: 'Klinikum Nord', role: 'shipper' },
      to: { party: 'Blutkurier', role: 'carrier' },
      ...{ to_person: 'Canary Kern', scanned_seal_ids: null, artifact: null },
    };
    await expect(
      commands.recordHandover(
        { circumstances: await record('HANDOVER_RECORDED', { payload }), ...handover },
        calling,
      ),
    ).rejects.toMatchObject({ details: { kept_entry: 6 } });
    const { sequence } = await under.orders.getSequence({ organizationId, id: orderId });
    expect(sequence).toBe(6);
  });
});

test('a driver sees the own orders alone, without prices and persons of their history', async () => {
  const mine = await anOrderOf();
  const other = await anOrderOf();
  await under.commands.updateOrder({ circumstances: mine.circumstances, priceTotal: '12.50' });
  const shown = await commands.showOrder({ orderId: mine.orderId }, mine.calling);
  expect(shown).toMatchObject({ order: { id: mine.orderId }, disclosures: [], operators: [] });
  expect(shown.order!.priceTotal).toBeUndefined();
  await expect(commands.showOrder({ orderId: other.orderId }, mine.calling)).rejects.toMatchObject({
    kind: 'NOT_FOUND',
  });
  const listed = await commands.listOpenOrders({}, mine.calling);
  expect(listed.orders.map(({ id }) => id)).toEqual([mine.orderId]);
  await expect(commands.searchOrders({}, mine.calling)).rejects.toMatchObject({
    kind: 'CALLER_NOT_ALLOWED',
  });
});

test('a revocation is an entry of each order that has one of that time or later, once', async () => {
  const driver = { driverId: randomUUID(), carrierId: randomUUID() };
  const [before, after] = [await anOrderOf(driver), await anOrderOf(driver)];
  const from = (await bus.query('select clock_timestamp() as now')).rows[0].now.toISOString();
  await commands.startPickup(
    { circumstances: await after.record('PICKUP_STARTED') },
    after.calling,
  );
  const revocation = { driverId: driver.driverId, key: phone.key, from };
  for (let n = 0; n < 2; n++)
    expect(await under.ofOperators.recordDeviceRevocation(revocation)).toMatchObject({ orders: 1 });
  expect(await published(before.orderId)).toHaveLength(4);
  expect(await published(after.orderId)).toHaveLength(6);
});

test('a signature is one of its key alone', async () => {
  const other = await aPhone();
  const signature = await phone.sign('text');
  expect(await isDeviceSignature(phone.key, signature, 'text')).toBe(true);
  expect(await isDeviceSignature(other.key, signature, 'text')).toBe(false);
  expect(deviceRecordOf('x', { payload: { device: { v: 'device/2' } } } as never)).toBeNull();
});
