import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { anOrder, type OrdersUnderTest, startOrdersService } from '../orders-service.ts';

let under: OrdersUnderTest;
let owner: Client;
beforeAll(async () => {
  under = await startOrdersService();
  owner = new Client({ connectionString: under.database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await under.stop();
});

const createFor = async (organizationId: string): Promise<string> => {
  const { body } = await under.orders.createOrder({ ...anOrder(), organizationId });
  return JSON.parse(Buffer.from(body).toString()).id;
};
/** Creates an order of a new organization and sets columns of it. */
const create = async (columns: Record<string, string> = {}) => {
  const request = anOrder();
  const id = await createFor(request.organizationId);
  for (const [name, value] of Object.entries(columns))
    await owner.query(`update orders set ${name} = $2 where id = $1`, [id, value]);
  return { id, organizationId: request.organizationId };
};
const found = async (search: object) => {
  const { orders, nextAfterId } = await under.commands.searchOrders(search);
  return { ids: orders.map(({ id }) => id), orders, nextAfterId };
};

test('all organizations are listed, newest first, page by page, each order once', async () => {
  const made = [];
  for (let n = 0; n < 5; n++) made.push((await create()).id);
  const newest = made.reverse();
  const first = await found({ pageSize: 2 });
  expect(first.ids).toEqual(newest.slice(0, 2));
  const second = await found({ pageSize: 2, afterId: first.nextAfterId });
  expect(second.ids).toEqual(newest.slice(2, 4));
  expect((await found({ pageSize: 100, afterId: second.nextAfterId })).ids[0]).toBe(newest[4]);
});

test('an order is marked once an incident of it is reported, and by no other command', async () => {
  const { id, organizationId } = await create();
  const isMarked = async () => (await found({ organizationId })).orders[0]!.hasIncident;
  const circumstances = { orderId: id };
  await under.commands.assignOrder({ circumstances, transportOrganization: 'City Couriers' });
  await under.commands.escalateOrder({ circumstances, note: 'late' });
  expect(await isMarked()).toBe(false);
  await under.commands.reportIncident({ circumstances, note: 'a flat tire' });
  expect(await isMarked()).toBe(true);
  await under.commands.acceptOrder({ circumstances });
  expect(await isMarked()).toBe(true);
});

test('the holder of the last handover is listed while custody lasts', async () => {
  const { organizationId } = await create({ status: 'PICKUP_STARTED', held_by: 'Night Riders' });
  expect((await found({ organizationId })).orders).toMatchObject([{ heldBy: 'Night Riders' }]);
  const plain = await create({ status: 'PICKUP_STARTED' });
  expect((await found(plain)).orders[0]!.heldBy).toBeUndefined();
});

test('an order is listed with the arrival that its page shows', async () => {
  const { id, organizationId } = await create({ status: 'SEALED' });
  const { order } = await under.commands.showOrder({ orderId: id });
  const [listed] = (await found({ organizationId })).orders;
  expect(listed!.dropoffEta).toMatch(/^20/);
  expect([listed!.dropoffEta, listed!.dropoffCountry]).toEqual([
    order!.dropoffEta,
    order!.dropoffLocation!.country,
  ]);
});

test('an incident that was resolved stays marked as reported, and is open no more', async () => {
  const { id, organizationId } = await create();
  const circumstances = { orderId: id };
  const read = async () => {
    const { order } = await under.commands.showOrder({ orderId: id });
    const [{ hasIncident, openIncidentsJson } = {}] = (await found({ organizationId })).orders;
    expect(openIncidentsJson).toBe(order!.openIncidentsJson);
    return [hasIncident, JSON.parse(order!.openIncidentsJson ?? '[]')];
  };
  const reported = { circumstances, note: 'a flat tire', kind: 'delay', severity: 'low' };
  const { order } = await under.commands.reportIncident(reported);
  const { sequence: entry } = order!;
  expect(await read()).toEqual([true, [{ entry, kind: 'delay', severity: 'low' }]]);
  await under.commands.resolveIncident({ circumstances, incident: entry, note: 'repaired' });
  expect(await read()).toEqual([true, []]);
});

test('the pages of one organization hold its orders alone', async () => {
  const { organizationId } = await create();
  const own: string[] = [];
  for (let n = 0; n < 3; n++) own.unshift(await createFor(organizationId));
  await create();
  const first = await found({ organizationId, pageSize: 2 });
  expect(first.ids).toEqual(own.slice(0, 2));
  const second = await found({ organizationId, pageSize: 2, afterId: first.nextAfterId });
  expect(second.ids).toHaveLength(2);
  expect(second.ids[0]).toBe(own[2]);
  expect(second.nextAfterId).toBe('');
});

test('statuses restrict a list, open and ended ones', async () => {
  const sealed = await create({ status: 'SEALED' });
  const closed = await create({ status: 'CLOSED' });
  const open = await found({ statuses: ['SEALED', 'IN_TRANSIT'], pageSize: 100 });
  expect(open.ids).toContain(sealed.id);
  expect(open.orders.every(({ status }) => status === 'SEALED')).toBe(true);
  const both = await found({ statuses: ['SEALED', 'CLOSED'], pageSize: 100 });
  expect(both.ids).toEqual(expect.arrayContaining([sealed.id, closed.id]));
});

test('a text finds orders by id, reference, seal and city, and nothing else', async () => {
  const reference = `R-${randomUUID()}`;
  const seal = `S-${randomUUID()}`;
  const byReference = await create({ external_id: reference, status: 'CLOSED' });
  const bySeal = await create({ seal_ids: JSON.stringify(['other', seal]), status: 'SEALED' });
  expect((await found({ text: byReference.id })).ids).toEqual([byReference.id]);
  expect((await found({ text: reference })).ids).toEqual([byReference.id]);
  expect((await found({ text: seal })).ids).toEqual([bySeal.id]);
  expect((await found({ text: seal.slice(0, -1) })).ids).toEqual([]);
  expect((await found({ text: 'S-%' })).ids).toEqual([]);
  const { pickupCity } = (await found({ text: bySeal.id })).orders[0]!;
  expect((await found({ text: pickupCity.slice(0, 4).toLowerCase() })).ids).toContain(bySeal.id);
  expect((await found({ text: '_'.repeat(4) })).ids).toEqual([]);
});

test('a part of a reference finds open orders, in any case, and no ended one', async () => {
  const part = randomUUID().slice(0, 13);
  const open = await create({ external_id: `Lab/${part}-A_1`, status: 'IN_TRANSIT' });
  await create({ external_id: `Lab/${part}-B`, status: 'CLOSED' });
  for (const text of [part, part.toUpperCase(), `lab/${part}`, `${part}-A_1`])
    expect((await found({ text })).ids).toEqual([open.id]);
  expect((await found({ text: `${part}-A%1` })).ids).toEqual([]);
});

test('a search in another organization finds nothing', async () => {
  const { id } = await create();
  expect((await found({ text: id, organizationId: randomUUID() })).ids).toEqual([]);
});

test.each(['organizationId', 'afterId'])('%s must be a UUID', async (field) => {
  await expect(under.commands.searchOrders({ [field]: 'x' })).rejects.toMatchObject({
    kind: 'VALIDATION',
  });
});
