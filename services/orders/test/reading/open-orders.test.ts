import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { aHandover, anOrderThat } from '../changes/an-order-in-transit.ts';
import { type OrdersUnderTest, startOrdersService } from '../orders-service.ts';

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
beforeEach(() => owner.query(`update orders set status = 'CLOSED'`));

type Known = readonly { readonly id: string; readonly version: number }[];
const bytesOf = (known: Known) =>
  Buffer.concat(
    known.map(({ id, version }) => {
      const bytes = Buffer.alloc(20);
      bytes.write(id.replaceAll('-', ''), 'hex');
      bytes.writeUInt32BE(version, 16);
      return bytes;
    }),
  );
const read = (known: Known = []) => under.commands.listOpenOrders({ known: bytesOf(known) });

test('the open orders of all organizations are listed, what is due first at the beginning', async () => {
  const window = (start: string, end?: string) => ({
    pickupWindowStart: start,
    ...(end && { pickupWindowEnd: end }),
  });
  const later = await anOrderThat(under, 'SUBMITTED', window('2030-01-01T08:00:00.000Z'));
  const first = await anOrderThat(under, 'IN_TRANSIT', window('2030-01-01T06:00:00.000Z'));
  const between = await anOrderThat(
    under,
    'SUBMITTED',
    window('2030-01-01T05:00:00.000Z', '2030-01-01T07:00:00.000Z'),
  );
  await anOrderThat(under, 'SUBMITTED', { autoDispatch: false }); // a DRAFT
  const ended = await anOrderThat(under, 'SUBMITTED');
  await under.commands.cancelOrder({ ...ended, reason: 'r' });
  const { orders, gone, hasMore } = await read();
  expect(orders.map(({ id }) => id)).toEqual([first, between, later].map((one) => one.orderId));
  expect([gone, hasMore]).toEqual([[], false]);
});

test('an order shows what the next step needs: directions, goods, limits, evidence, incidents', async () => {
  const { circumstances } = await anOrderThat(under, 'SEALED', {
    ...{ pickupDetail: 'Gate 3', temperatureMin: 2, temperatureMax: 8 },
    requiredEvidenceJson: JSON.stringify({ pickup: ['pin'], dropoff: ['signature'] }),
  });
  await under.commands.reportIncident({ circumstances, note: 'n', kind: 'delay' });
  const [before] = (await read()).orders;
  expect(before).toMatchObject({
    ...{ status: 'SEALED', driver: 'Kim', transportOrganization: 'Blutkurier', itemCount: 2 },
    ...{ goodsType: 'blood', temperatureMin: '2.00', temperatureMax: '8.00' },
    ...{ missingEvidence: ['pin'], hasCustodyFault: false },
    pickup: { detail: 'Gate 3' },
  });
  expect(JSON.parse(before!.openIncidentsJson!)).toMatchObject([
    { kind: 'delay', severity: 'medium' },
  ]);
  await under.commands.recordHandover({ circumstances, ...aHandover() });
  expect((await read()).orders[0]?.missingEvidence).toEqual([]);
});

test('an order names the party that received the goods last, until custody ends', async () => {
  const { circumstances } = await anOrderThat(under, 'SEALED');
  const holder = async () => (await read()).orders[0]?.heldBy;
  expect(await holder()).toBeUndefined();
  await under.commands.recordHandover({ circumstances, ...aHandover() });
  expect(await holder()).toBe('Blutkurier');
  await under.commands.startTransport({ circumstances });
  const to = { party: 'Night Riders', role: 'carrier' };
  await under.commands.recordHandover({ circumstances, ...aHandover({ stage: 'transfer', to }) });
  expect(await holder()).toBe('Night Riders');
  await under.commands.deliverOrder({ circumstances });
  expect(await holder()).toBeUndefined();
});

test('of known orders those alone are listed that changed, and those named that ended', async () => {
  const [same, changed, ended] = await Promise.all(
    [1, 2, 3].map(() => anOrderThat(under, 'SUBMITTED')),
  );
  const known = (await read()).orders;
  expect(await read(known)).toMatchObject({ orders: [], gone: [] });
  await under.commands.assignOrder({ ...changed!, transportOrganization: 'T' });
  await under.commands.cancelOrder({ ...ended!, reason: 'r' });
  const second = await read(known);
  expect(second.orders.map(({ id }) => id)).toEqual([changed!.orderId]);
  expect(second.gone).toEqual([ended!.orderId]);
  expect(known.map(({ id }) => id)).toContain(same!.orderId);
});

test('a custody fault, which is no event of the order, is a change of it', async () => {
  const { orderId } = await anOrderThat(under, 'SUBMITTED');
  const known = (await read()).orders;
  await owner.query('update orders set custody_fault = $2 where id = $1', [orderId, 'f']);
  expect((await read(known)).orders).toMatchObject([{ id: orderId, hasCustodyFault: true }]);
});

test('the goods of an order with many items are not read, and its size is shown', async () => {
  const goodsTypes = Array.from({ length: 21 }, () => 'blood');
  await anOrderThat(under, 'SUBMITTED', { goodsTypes });
  const [order] = (await read()).orders;
  expect([order?.itemCount, order?.goodsType]).toEqual([21, undefined]);
});

test('of more than 1,000 open orders the first are listed, and said so', async () => {
  const { orderId } = await anOrderThat(under, 'SUBMITTED');
  const columns = (
    await owner.query(
      `select string_agg(quote_ident(attname), ', ') as names from pg_attribute
       where attrelid = 'orders'::regclass and attnum > 0 and not attisdropped
         and attname not in ('id', 'external_id')`,
    )
  ).rows[0].names;
  await owner.query(
    `insert into orders (id, ${columns}) select gen_random_uuid(), ${columns}
     from orders, generate_series(1, 1000) where id = $1`,
    [orderId],
  );
  const { orders, hasMore } = await read();
  expect([orders.length, hasMore]).toEqual([1000, true]);
  const again = await read(orders);
  expect([again.orders, again.gone]).toEqual([[], []]);
  await expect(under.commands.listOpenOrders({ known: Buffer.alloc(20 * 1001) })).rejects.toThrow(
    expect.objectContaining({ kind: 'VALIDATION' }),
  );
});

test.each([1, 19, 21])('%i bytes of known orders are rejected', async (length) => {
  await expect(
    under.commands.listOpenOrders({ known: Buffer.alloc(length) }),
  ).rejects.toMatchObject({ kind: 'VALIDATION' });
});
