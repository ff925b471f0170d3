import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, openDatabase, primaryReads } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { cachedLocations } from '../../src/locations/locations.ts';
import { getOrder } from '../../src/reading/get-order.ts';
import { listOrders } from '../../src/reading/list-orders.ts';
import { toBody } from '../../src/reading/stored-order.ts';
import {
  anOrder,
  asOwner,
  bodyOf,
  charite,
  keyed,
  type OrdersUnderTest,
  startOrdersService,
} from '../orders-service.ts';

let under: OrdersUnderTest;
let db: Database;
beforeAll(async () => {
  under = await startOrdersService();
  db = await openDatabase({
    url: under.database.serviceUrl,
    poolMax: 2,
    statementTimeoutMs: 5000,
    lockTimeoutMs: 1000,
    telemetry: createTelemetry({ service: 'test', write: () => {} }),
  });
});
afterAll(async () => {
  await db.close();
  await under.stop();
});

const cursorKeys = [Buffer.alloc(32, 7)] as const;
const text = (value: string) => ({ place: { case: 'addressText' as const, value } });
const hauptplatz = text('Hauptplatz 1, 85221 Dachau');

const make = async (organizationId: string, more: object = {}) =>
  bodyOf(await under.orders.createOrder(anOrder({ organizationId, ...more })));

/** Reads with a cache of their own; `reads` has the number of locations of each read of them. */
const reading = () => {
  const clock = { now: 0 };
  const reads: number[] = [];
  const counting: Database = {
    ...db,
    query: async <Row>(statement: string, parameters?: readonly unknown[]) => {
      const rows = await db.query<Row>(statement, parameters);
      if (statement.includes('join "locations" as "l"')) reads.push(rows.length);
      return rows;
    },
  };
  const findLocations = cachedLocations(() => clock.now);
  return {
    clock,
    reads,
    list: async (organizationId: string): Promise<string[]> => {
      const query = { organizationId, limit: 100 };
      const { orders } = await listOrders(
        { db: counting, reads: primaryReads(counting), findLocations, cursorKeys },
        query,
      );
      return orders.map(({ body }) => body.toString());
    },
    get: async (id: string, organizationId: string): Promise<string> =>
      toBody(
        await getOrder({ sql: counting, findLocations }, { organizationId, orderId: id }),
      ).toString(),
  };
};

test('a cold and a warm page have the same bytes, those of the response to the creation', async () => {
  const organizationId = randomUUID();
  const street = 'Quo"te\\\u0007 "items":[] 😀 "pickup_location":null,"dropoff_location":null';
  const request = anOrder({
    organizationId,
    ...keyed('k'),
    pickup: { place: { case: 'address', value: { ...charite, street, label: street } } },
    notes: street,
  });
  const created = Buffer.from((await under.orders.createOrder(request)).body).toString();
  const { list, get, reads } = reading();
  const [cold, warm] = [await list(organizationId), await list(organizationId)];
  expect(cold).toEqual([created]);
  expect(warm).toEqual(cold);
  const { id } = JSON.parse(created);
  expect(await get(id, organizationId)).toBe(created);
  expect(reads).toEqual([2]);
  const shown = await under.orders.getOrder({ organizationId, id });
  expect(Buffer.from(shown.body).toString()).toBe(created);
  const replay = await under.orders.createOrder(request);
  expect([replay.replayed, Buffer.from(replay.body).toString()]).toEqual([true, created]);
});

test('a page reads the locations that are absent from the cache, each once', async () => {
  const organizationId = randomUUID();
  const { list, reads } = reading();
  const orders = [await make(organizationId)];
  await list(organizationId);
  orders.unshift(await make(organizationId, { dropoff: hauptplatz }));
  orders.unshift(await make(organizationId, { dropoff: hauptplatz }));
  expect((await list(organizationId)).map((body) => JSON.parse(body))).toEqual(orders);
  expect(reads).toEqual([2, 1]);
});

test('organizations with one address see their own location of it through one cache', async () => {
  const { list } = reading();
  for (const label of ['One', 'Other']) {
    const organizationId = randomUUID();
    const pickup = { place: { case: 'address', value: { ...charite, label } } };
    const order = await make(organizationId, { pickup });
    expect(order.pickup_location).toMatchObject({ label });
    for (let n = 0; n < 2; n++)
      expect((await list(organizationId)).map((body) => JSON.parse(body))).toEqual([order]);
  }
});

test('an erasure in the database shows after five minutes', async () => {
  const organizationId = randomUUID();
  const { clock, list } = reading();
  await make(organizationId);
  const before = await list(organizationId);
  await asOwner(under.database, (owner) =>
    owner.query("update locations set label = 'erased' where organization_id = $1", [
      organizationId,
    ]),
  );
  clock.now = 5 * 60_000 - 1;
  expect(await list(organizationId)).toEqual(before);
  clock.now++;
  const [after] = await list(organizationId);
  expect(JSON.parse(after!)).toMatchObject({
    pickup_location: { label: 'erased' },
    dropoff_location: { label: 'erased' },
  });
});
