import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase, primaryReads } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { until } from '@pto/testing';
import { Client } from 'pg';
import { cachedLocations } from '../src/locations/locations.ts';
import { listLightOrders } from '../src/reading/list-orders.ts';
import { anOrder, bodyOf, type OrdersUnderTest, startOrdersService } from './orders-service.ts';

let under: OrdersUnderTest;
let admin: Client;
/** Looks from outside of the transaction, within which PostgreSQL shows no new connections. */
let watcher: Client;
beforeAll(async () => {
  under = await startOrdersService();
  [admin, watcher] = [1, 2].map(
    () => new Client({ connectionString: under.database.superuserUrl }),
  ) as [Client, Client];
  await admin.connect();
  await watcher.connect();
});
afterAll(async () => {
  await admin.end();
  await watcher.end();
  await under.stop();
});

const create = async (organizationId: string, itemCount: number, more: object = {}) => {
  const goodsTypes = Array<string>(itemCount).fill('b');
  return bodyOf(await under.orders.createOrder(anOrder({ organizationId, goodsTypes, ...more })));
};

test('heavy creations of one organization run one at a time, beside those of others', async () => {
  const [busy, other] = [randomUUID(), randomUUID()];
  await Promise.all([create(busy, 1), create(other, 1)]); // their locations are stored
  await admin.query('begin; lock table orders in exclusive mode');
  const heavy = Array.from({ length: 8 }, () => create(busy, 500));
  const waiting = async () => {
    const { rows } = await watcher.query<{ count: number }>(
      "select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    );
    return rows[0]!.count;
  };
  await until(async () => (await waiting()) === 1, { what: 'one heavy creation' });
  const beside = create(other, 500);
  await until(async () => (await waiting()) === 2, { what: "the other organization's" });
  expect(await waiting()).toBe(2);
  await admin.query('commit');
  expect(new Set((await Promise.all(heavy)).map(({ id }) => id)).size).toBe(8);
  await beside;
});

describe('a list needs a turn', () => {
  const list = async (organizationId: string, more: object = {}) => {
    const db = await openDatabase({
      url: under.database.serviceUrl,
      poolMax: 1,
      statementTimeoutMs: 10_000,
      lockTimeoutMs: 1000,
      telemetry: createTelemetry({ service: 'orders', write: () => {} }),
    });
    try {
      const deps = {
        db,
        reads: primaryReads(db),
        findLocations: cachedLocations(),
        cursorKeys: [Buffer.alloc(32, 7)] as const,
      };
      const page = await listLightOrders(deps, { organizationId, limit: 50, ...more });
      return page?.orders.length ?? null;
    } finally {
      await db.close();
    }
  };

  test('not for 51 ordinary orders, nor for an empty page', async () => {
    const organizationId = randomUUID();
    expect(await list(organizationId)).toBe(0);
    expect(await list(organizationId, { updatedSince: '2020-01-01T00:00:00Z' })).toBe(0);
    for (let n = 0; n < 51; n++) await create(organizationId, 3);
    expect(await list(organizationId)).toBe(50);
    expect(await list(organizationId, { updatedSince: '2020-01-01T00:00:00Z' })).toBe(50);
  });

  test('for more than 1,000 items on its page, first or later', async () => {
    const organizationId = randomUUID();
    await create(organizationId, 999);
    expect(await list(organizationId)).toBe(1);
    await create(organizationId, 2);
    expect(await list(organizationId)).toBeNull();
    expect(await list(organizationId, { limit: 1 })).toBe(1);
    await create(organizationId, 1001);
    expect(await list(organizationId, { limit: 1 })).toBeNull();
  });

  test('for more than 128 KiB of other texts on its page', async () => {
    const organizationId = randomUUID();
    const notes = 'n'.repeat(2000);
    for (let n = 0; n < 50; n++) await create(organizationId, 1, { notes });
    expect(await list(organizationId, { limit: 40 })).toBe(40);
    for (let n = 0; n < 10; n++) await create(organizationId, 1, { notes: 'é'.repeat(2000) });
    expect(await list(organizationId, { limit: 50 })).toBeNull();
  });

  test('and the page that it then gets is complete', async () => {
    const organizationId = randomUUID();
    for (let n = 0; n < 5; n++) await create(organizationId, 600);
    const page = await under.orders.listOrders({ organizationId, limit: 100 });
    expect([page.bodies.length, page.nextCursor]).toEqual([5, undefined]);
  });
});
