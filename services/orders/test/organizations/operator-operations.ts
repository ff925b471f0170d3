import { createHash, randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { AuditKind, ViolationState } from '@pto/proto/orders/v1/violations';
import { aPhone, pngPicture, readingsCsv, until } from '@pto/testing';
import { aHandover, anOrderThat } from '../changes/an-order-in-transit.ts';
import { keyed, type OrdersUnderTest } from '../orders-service.ts';

const readingsOf = (value: number) => ({
  content: Buffer.from(readingsCsv(value)),
  mediaType: 'text/csv',
  deviceId: 'LOG-7',
  unit: 'celsius',
});

/** Applies every command, with its evidence and the erasure at the end. */
export const lives = async (under: OrdersUnderTest): Promise<void> => {
  const { orders, commands } = under;
  const declined = await anOrderThat(under, 'SUBMITTED', { temperatureMin: 2, temperatureMax: 8 });
  await commands.assignOrder({ ...declined, transportOrganization: 'T' });
  await commands.declineAssignment(declined);
  await commands.cancelOrder({ ...declined, reason: 'r' });
  const order = await anOrderThat(under, 'SEALED', {
    ...{ temperatureMin: 2, temperatureMax: 8 },
    requiredEvidenceJson: JSON.stringify({ return: ['pin'] }),
  });
  const { organizationId, orderId } = order;
  const named = () => ({ circumstances: { orderId, commandId: randomUUID() } });
  const update = { ...named(), priceTotal: '1.50', notes: 'n' };
  await commands.updateOrder(update);
  await commands.updateOrder(update);
  await commands.reportIncident({ ...named(), note: 'n' });
  await commands.escalateOrder({ ...named(), note: 'n' });
  const known = (await commands.listOpenOrders({})).orders.find(({ id }) => id === orderId)!;
  const [{ entry: incident }] = JSON.parse(known.openIncidentsJson!);
  await commands.resolveIncident({ ...named(), incident, note: 'n' });
  const artifact = { content: pngPicture(1), mediaType: 'image/png' };
  await commands.recordHandover({ ...named(), ...aHandover({ methods: ['photo'], artifact }) });
  const waived = { stage: 'return', methods: ['pin'], note: 'n' };
  await commands.waiveEvidence({ ...named(), ...waived });
  const readings = readingsOf(40);
  const sha256 = createHash('sha256').update(readings.content).digest('hex');
  await orders.recordCondition({
    organizationId,
    orderId,
    readings,
    idempotency: keyed('C-1').idempotency,
  });
  await commands.recordCondition({ ...named(), readings: readingsOf(4) });
  await orders.getArtifact({ organizationId, orderId, sha256 });
  await commands.exportArtifact({ orderId, sha256 });
  await commands.startTransport(named());
  await locks(under, { organizationId, orderId });
  await commands.deliverOrder(named());
  await commands.closeOrder(named());
  await commands.erasePersonalData({ ...named(), fields: ['driver'], reason: 'r' });
  await commands.erasePersonalData({ ...named(), fields: [], reason: 'r' });
  await until(async () => (await under.storedFiles(orderId)).length === 2, {
    what: 'the erasure of the photo, beside the two files with readings',
  });
  await drives(under);
  const released = await anOrderThat(under, 'SUBMITTED');
  await commands.assignOrder({ ...released, transportOrganization: 'T' });
  await commands.acceptOrder(released);
  await commands.assignDriver({ ...released, driver: 'D' });
  await commands.releaseDriver(released);
};

/** Shows the code of an order on its way, gives five wrong ones and unlocks it. */
const locks = async (
  { orders, commands }: OrdersUnderTest,
  order: { organizationId: string; orderId: string },
) => {
  const { organizationId, orderId } = order;
  const side = 'dropoff';
  const { code } = await orders.getHandoverCode({ organizationId, id: orderId, side });
  const wrong = { methods: ['code'], code: code === '0000' ? '0001' : '0000' };
  for (let n = 0; n < 6; n++)
    await expect(
      commands.recordHandover({
        circumstances: { orderId },
        ...aHandover({ stage: side, ...wrong }),
      }),
    ).rejects.toMatchObject({ kind: 'VALIDATION' });
  await commands.unlockHandoverCode({ orderId, side });
};

/** What a driver's phone does on an order that is taken from the driver, and its revocation. */
const drives = async (under: OrdersUnderTest): Promise<void> => {
  const { commands, ofOperators } = under;
  const phone = await aPhone();
  const driver = { driverId: randomUUID(), carrierId: randomUUID() };
  const calling = { party: { ...driver, key: phone.key } };
  const order = await anOrderThat(under, 'SUBMITTED');
  const { orderId } = order;
  await commands.assignOrder({
    ...order,
    transportOrganization: 'T',
    carrierId: driver.carrierId,
  });
  await commands.acceptOrder(order);
  await commands.assignDriver({ ...order, driver: 'D', driverId: driver.driverId });
  const payload = { stop: 'pickup' };
  const arrival = async () => ({
    circumstances: await phone.record(driver, { orderId, internalType: 'DRIVER_ARRIVED', payload }),
    ...payload,
  });
  await commands.recordArrival(await arrival(), calling);
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  await commands.reportExpectedTime({ orderId, stop: 'pickup', at: inMinutes(40) }, calling);
  await ofOperators.estimateArrival({ orderId, ...driver, position: { lat: 52, lng: 13 } });
  await commands.showOrder({ orderId }, calling);
  await commands.listOpenOrders({}, calling);
  const check = { orderId, stage: 'pickup', code: '0000' };
  await expect(commands.checkHandoverCode(check, calling)).rejects.toMatchObject({
    kind: 'ILLEGAL_TRANSITION',
  });
  await commands.releaseDriver(order);
  await expect(commands.recordArrival(await arrival(), calling)).rejects.toMatchObject({
    details: { kept_entry: 8 },
  });
  const from = '2026-01-01T00:00:00.000Z';
  await ofOperators.recordDeviceRevocation({ driverId: driver.driverId, key: phone.key, from });
};

/** Records violations of orders and of the log, lists, resolves and acknowledges them. */
export const violations = async (under: OrdersUnderTest): Promise<void> => {
  const { orderId } = await anOrderThat(under, 'SUBMITTED');
  const { violations } = under;
  const found = [
    { orderId, entryId: 'e', reason: 'one' },
    { orderId, entryId: 'f', reason: 'two' },
    { orderId: randomUUID(), entryId: 'g', reason: 'an order that nobody has created' },
    { orderId: '', entryId: '', reason: 'the log has lost a leaf' },
  ];
  const completed = { kind: AuditKind.FULL, violations: found.length };
  const { unnotified } = await violations.recordViolations({ found, completed });
  const ids = unnotified.map(({ id }) => id);
  await violations.recordViolations({ found, notifiedIds: ids, resolvedIds: [ids[1]!] });
  for (const state of [ViolationState.OPEN, ViolationState.RESOLVED, ViolationState.UNSPECIFIED])
    await violations.listViolations({ state });
  await violations.listViolations({ orderId, pageSize: 1, pageToken: ids[0]! });
  await violations.acknowledgeViolations({ orderId, reason: 'r' });
  await violations.acknowledgeViolations({ id: ids[3]!, reason: 'r' });
  await violations.listViolations({ state: ViolationState.ACKNOWLEDGED });
};
