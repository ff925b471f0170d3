/** What the phones of the sandbox's drivers record and sign (decision 85). */
import { randomUUID } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deviceRecordOf, isDeviceSignature } from '@pto/custody-verifier';
import { OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { until } from '@pto/testing';
import { asOwner } from '../../orders/test/orders-service.ts';
import { idOf, phones } from '../src/moves/phone.ts';
import { type CourierUnderTest, phoneOf, startCourierService } from './courier-service.ts';

let under: CourierUnderTest;
beforeAll(async () => {
  under = await startCourierService();
});
afterAll(() => under.stop());

type Ids = Awaited<ReturnType<CourierUnderTest['newOrder']>>;
const shown = async ({ orderId }: Ids) =>
  (await under.orders.commands.showOrder({ orderId })).order!;

/** The entries of an order, each with its record of a device, whose signature is checked. */
const entriesOf = async ({ orderId }: Ids) => {
  const values: Buffer[] = [];
  await asOwner(under.orders.database, async (owner) => {
    const { rows } = await owner.query('select value from outbox where key = $1', [orderId]);
    values.push(...rows.map(({ value }) => value));
  });
  const events = values
    .map((value) => fromBinary(OrderEventSchema, value))
    .sort((a, b) => a.sequence - b.sequence);
  return Promise.all(
    events.map(async ({ internalType, payloadJson, tsUtc }) => {
      const payload = JSON.parse(payloadJson || 'null');
      const found = deviceRecordOf(orderId, { internal_type: internalType, payload } as never);
      if (found) {
        const { record, statement } = found;
        expect(await isDeviceSignature(record.key, record.signature, statement)).toBe(true);
      }
      return { type: internalType, payload, tsUtc, device: found?.record };
    }),
  );
};
const signedOf = (entries: Awaited<ReturnType<typeof entriesOf>>) =>
  entries.filter(({ device }) => device).map(({ type }) => type);
const walk = async (name: string, stepMs = 5) => {
  const order = await under.newOrder();
  await under.courier.startRun({
    ...order,
    plan: { case: 'scenario', value: { name, stepMs } } as const,
  });
  const runOf = async () => (await under.courier.listSteps(order)).run;
  await until(async () => (await runOf())?.state !== 'running', { what: 'the end of the run' });
  expect(await runOf()).toMatchObject({ state: 'done' });
  expect((await shown(order)).status).toBe('CLOSED');
  return order;
};

const driverSteps = ['PICKUP_STARTED', 'SEAL_APPLIED', 'TRANSPORT_STARTED', 'CUSTODY_TRANSFERRED'];

test("the steps of the driver are signed by the phone of the order's driver", async () => {
  const order = await walk('auto');
  const entries = await entriesOf(order);
  expect(signedOf(entries)).toEqual(driverSteps);
  const { party } = phoneOf(await shown(order))!;
  for (const { device } of entries)
    if (device)
      expect(device).toMatchObject({
        ...{ key: party.key, driver_id: party.driverId, carrier_id: party.carrierId },
      });
});

test('a phone has one key for all processes, and no other order or secret has it', async () => {
  const [one, other] = [await under.newOrder(), await under.newOrder()];
  for (const order of [one, other])
    await under.courier.advance({ ...order, to: 'DRIVER_ASSIGNED' });
  const keyOf = async (order: Ids, byte = 7) =>
    phones(Buffer.alloc(32, byte))(await shown(order))!.party.key;
  const key = await keyOf(one);
  expect(Buffer.from(key, 'base64url')).toHaveLength(65);
  expect(await keyOf(one)).toBe(key);
  expect(new Set([key, await keyOf(other), await keyOf(one, 8)]).size).toBe(3);
});

test('a second driver has a phone of his own', async () => {
  const entries = await entriesOf(await walk('driver_dropped'));
  expect(signedOf(entries)).toEqual(driverSteps);
});

test('in the scenario offline_gap the office moves the order, and the late record is kept', async () => {
  const gapMs = 10 * 60;
  const entries = await entriesOf(await walk('offline_gap', gapMs / 10));
  expect(entries.slice(5, 9).map(({ type, device }) => [type, device !== undefined])).toEqual([
    ['SEAL_APPLIED', true],
    ['TRANSPORT_STARTED', false],
    ['DEVICE_RECORD_KEPT', true],
    ['DRIVER_ARRIVED', true],
  ]);
  const [kept] = entries.filter(({ type }) => type === 'DEVICE_RECORD_KEPT');
  expect(kept!.payload.kept).toEqual({
    internal_type: 'TRANSPORT_STARTED',
    reason: 'ILLEGAL_TRANSITION',
  });
  expect(Date.parse(kept!.tsUtc) - Date.parse(kept!.device!.at)).toBeGreaterThanOrEqual(gapMs);
});

test('in the scenario revoked_device a phone is revoked from its sealing on, and signs no more', async () => {
  const other = await walk('auto');
  const { sequence } = await shown(other);
  const entries = await entriesOf(await walk('revoked_device'));
  expect(signedOf(entries)).toEqual(['PICKUP_STARTED', 'SEAL_APPLIED']);
  const [sealed, revoked] = ['SEAL_APPLIED', 'DEVICE_REVOKED'].map(
    (name) => entries.find(({ type }) => type === name)!,
  );
  expect(revoked!.payload.key).toBe(sealed!.device!.key);
  expect(revoked!.payload.from <= sealed!.tsUtc).toBe(true);
  expect((await shown(other)).sequence).toBe(sequence);
});

describe('evidence', () => {
  const requiring = (evidence: object) =>
    under.newOrder({ requiredEvidenceJson: JSON.stringify(evidence) });
  const kinds = async (order: Ids) => (await entriesOf(order)).map(({ type }) => type);

  test('a signed handover is the device signature that an order requires', async () => {
    const order = await requiring({ pickup: ['device_signature'], dropoff: ['pin'], return: [] });
    await under.courier.advance({ ...order, to: 'CLOSED' });
    const entries = await entriesOf(order);
    const handovers = entries.filter(({ type }) => type === 'HANDOVER_RECORDED');
    expect(handovers.map(({ payload, device }) => [payload.methods, device !== undefined])).toEqual(
      [
        [['signature'], true],
        [['pin'], true],
      ],
    );
    expect(await kinds(order)).not.toContain('EVIDENCE_WAIVED');
    expect(await kinds(order)).not.toContain('DEVICE_RECORD_KEPT');
  });

  test('without a phone of its own the courier records handovers and waives the signature', async () => {
    const order = await requiring({ pickup: ['device_signature', 'photo'] });
    await under.courier.advance({ ...order, to: 'ACCEPTED' });
    const circumstances = { orderId: order.orderId };
    await under.orders.commands.assignDriver({
      ...{ circumstances, driver: 'Kim', driverId: randomUUID() },
    });
    await under.courier.advance({ ...order, to: 'CLOSED' });
    const entries = await entriesOf(order);
    expect(signedOf(entries)).toEqual([]);
    expect(entries.slice(6, 8).map(({ type }) => type)).toEqual([
      ...['EVIDENCE_WAIVED', 'HANDOVER_RECORDED'],
    ]);
  });
});

test('after a record of a step was kept, the office takes the step', async () => {
  const order = await under.newOrder();
  await under.courier.advance({ ...order, to: 'PICKUP_STARTED' });
  const { party, record } = phoneOf(await shown(order))!;
  const circumstances = await record({
    ...{ internalType: 'TRANSPORT_STARTED', at: new Date().toISOString() },
    commandId: idOf('startTransport', order.orderId, party.driverId),
  });
  await expect(
    under.orders.commands.startTransport({ circumstances }, { party }),
  ).rejects.toMatchObject({ kind: 'ILLEGAL_TRANSITION' });
  expect((await under.courier.advance({ ...order, to: 'CLOSED' })).status).toBe('CLOSED');
  expect(signedOf(await entriesOf(order))).toEqual([
    ...['PICKUP_STARTED', 'DEVICE_RECORD_KEPT', 'SEAL_APPLIED', 'CUSTODY_TRANSFERRED'],
  ]);
});
