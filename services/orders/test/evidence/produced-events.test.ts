import { randomUUID } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { contentDigest } from '@pto/custody-verifier';
import { OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { Client } from 'pg';
import { anOrder, bodyOf, type OrdersUnderTest, startOrdersService } from '../orders-service.ts';

let orders: OrdersUnderTest;
let service: Client;
let owner: Client;
beforeAll(async () => {
  orders = await startOrdersService();
  service = new Client(orders.database.serviceUrl);
  owner = new Client(orders.database.ownerUrl);
  await Promise.all([service.connect(), owner.connect()]);
});
afterAll(async () => {
  await Promise.all([service.end(), owner.end()]);
  await orders.stop();
});

/** An order with three events; the second has a position, the third a payload. */
const threeEvents = async (): Promise<string> => {
  const { id: orderId } = bodyOf(await orders.orders.createOrder(anOrder()));
  const position = { lat: 52.520008, lng: 13.404954 };
  await orders.commands.assignOrder({
    circumstances: { orderId, position },
    transportOrganization: 'Blutkurier',
  });
  await orders.commands.reportIncident({
    circumstances: { orderId, payloadJson: '{"temperature":4.5}' },
    note: 'Übergabe verzögert',
  });
  return orderId;
};

const unreported = async (orderId: string, more: object = {}) => {
  const { events } = await orders.evidence.listUnreportedEvents({ pageSize: 1000, ...more });
  return events.filter((event) => event.orderId === orderId);
};

test('each event has the digest of what was published', async () => {
  const orderId = await threeEvents();
  const { rows } = await owner.query<{ value: Buffer }>(
    'select value from outbox where key = $1 order by id',
    [orderId],
  );
  const published = rows.map(({ value }) => fromBinary(OrderEventSchema, value));
  expect(published.map(({ type }) => type)).toEqual([
    'order.submitted',
    'order.assigned',
    'order.incident_reported',
  ]);
  const { heads } = await orders.evidence.listHeads({ orderIds: [orderId] });
  expect(heads).toHaveLength(1);
  expect(heads[0]!.sequence).toBe(3);
  expect(heads[0]!.digests.map(({ sequence, digest }) => [sequence, Buffer.from(digest)])).toEqual(
    published.map((event, n) => [
      n + 1,
      Buffer.from(
        contentDigest({
          order_id: orderId,
          sequence: n + 1,
          id: event.id,
          type: event.type,
          internal_type: event.internalType,
          ts_utc: event.tsUtc,
          gps_lat: event.position?.lat ?? null,
          gps_lng: event.position?.lng ?? null,
          payload: event.payloadJson === '' ? null : JSON.parse(event.payloadJson),
        }),
      ),
    ]),
  );
});

test('heads of named orders ignore the range', async () => {
  const ids = [await threeEvents(), await threeEvents()];
  const named = await orders.evidence.listHeads({
    orderIds: [...ids, randomUUID()],
    afterOrderId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    pageSize: 1,
  });
  expect(named.heads.map(({ orderId }) => orderId)).toEqual([...ids].sort());
  expect(named.nextOrderId).toBe('');
  expect(named.heads.map(({ digests }) => digests.length)).toEqual([3, 3]);
});

test.each([
  ['a text that is no id', ['x']],
  ['1001 ids', Array.from({ length: 1001 }, () => randomUUID())],
])('rejects %s', async (_, orderIds) => {
  await expect(orders.evidence.listHeads({ orderIds })).rejects.toMatchObject({
    kind: 'VALIDATION',
  });
});

test.each(['update produced_events set sequence = 9', 'delete from produced_events'])(
  'neither the service nor the owner can %s',
  async (statement) => {
    await threeEvents();
    await expect(service.query(statement)).rejects.toThrow('permission denied');
    await expect(owner.query(statement)).rejects.toThrow('never changed or removed');
  },
);

test('an event is unreported until custody reports it or a later one', async () => {
  const orderId = await threeEvents();
  expect((await unreported(orderId)).map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  expect(await unreported(orderId, { minAgeMs: 3_600_000n })).toEqual([]);
  expect(await unreported(orderId, { minAgeMs: 2n ** 64n - 1n })).toEqual([]);
  await owner.query(
    "update unreported_events set produced_at = produced_at - interval '1 hour' where sequence = 2",
  );
  const [old] = await unreported(orderId, { minAgeMs: 3_600_000n });
  expect(old!.sequence).toBe(2);
  expect(Number(old!.ageMs)).toBeGreaterThanOrEqual(3_600_000);
  expect(Number(old!.ageMs)).toBeLessThan(3_660_000);
});

test('pages name each unreported event once, oldest first', async () => {
  await threeEvents();
  const { rows } = await owner.query<{ place: string }>(
    `select order_id || '/' || sequence as place from unreported_events
     order by produced_at, order_id, sequence`,
  );
  const places: string[] = [];
  let pageToken = '';
  do {
    const page = await orders.evidence.listUnreportedEvents({ pageSize: 2, pageToken });
    places.push(...page.events.map(({ orderId, sequence }) => `${orderId}/${sequence}`));
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
  expect(places.length).toBeGreaterThanOrEqual(3);
  expect(places).toEqual(rows.map(({ place }) => place));
  await expect(orders.evidence.listUnreportedEvents({ pageToken: 'bm9uZQ' })).rejects.toMatchObject(
    { kind: 'VALIDATION' },
  );
});

test('a page of 300,000 unreported events is one range of one index', async () => {
  await owner.query(
    `insert into unreported_events (organization_id, order_id, sequence, produced_at)
       select gen_random_uuid(), gen_random_uuid(), 1, now() - n * interval '1 millisecond'
       from generate_series(1, 300000) n`,
  );
  await owner.query('analyze unreported_events');
  const { rows } = await owner.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, buffers) select * from unreported_events
     where produced_at <= statement_timestamp()
       and (produced_at, order_id, sequence) >
         ('-infinity'::timestamptz, '00000000-0000-0000-0000-000000000000'::uuid, 0)
     order by produced_at, order_id, sequence limit 1000`,
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/Index (Only )?Scan using unreported_events_oldest/);
  expect(plan).not.toMatch(/Sort|Seq Scan/);
});
