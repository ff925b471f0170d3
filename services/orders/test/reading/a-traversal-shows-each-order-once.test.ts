import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  anOrder,
  bodyOf,
  type OrdersUnderTest,
  ordersOf,
  type ShownOrder,
  startOrdersService,
} from '../orders-service.ts';

let under: OrdersUnderTest;
beforeAll(async () => {
  under = await startOrdersService();
});
afterAll(() => under.stop());

type Filters = { status?: string; externalId?: string; updatedSince?: string };

const walk = async (
  organizationId: string,
  filters: Filters,
  limit: number,
): Promise<ShownOrder[]> => {
  const shown: ShownOrder[] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page: Awaited<ReturnType<typeof under.orders.listOrders>> = await under.orders.listOrders(
      {
        ...{ organizationId, limit, ...filters },
        ...(cursor !== undefined && { cursor }),
      },
    );
    shown.push(...ordersOf(page));
    cursor = page.nextCursor;
  }
  return shown;
};

const make = async (organizationId: string, more: object = {}): Promise<string> =>
  bodyOf(await under.orders.createOrder(anOrder({ organizationId, ...more }))).id;

const idsOf = (orders: readonly ShownOrder[]) => orders.map(({ id }) => id);

test('shows each order of the start exactly once while orders are created and changed', async () => {
  const organizationId = randomUUID();
  const there: string[] = [];
  for (let n = 0; n < 60; n++) there.push(await make(organizationId));
  const before = '2026-01-01T00:00:00.000Z';
  let walking = true;
  const disturb = (async () => {
    for (let n = 0; walking; n++) {
      await make(organizationId);
      await under.orders
        .cancelOrder({ organizationId, id: there[(n * 7) % there.length]!, reason: 'changed' })
        .catch(() => {});
    }
  })();
  for (const filters of [{}, { updatedSince: before }])
    for (const limit of [1, 7, 100]) {
      const ids = idsOf(await walk(organizationId, filters, limit));
      expect(new Set(ids).size).toBe(ids.length);
      expect(there.filter((id) => !ids.includes(id))).toEqual([]);
    }
  walking = false;
  await disturb;
}, 120_000);

test('each combination of filters shows the orders that match', async () => {
  const organizationId = randomUUID();
  for (let n = 0; n < 24; n++) {
    const id = await make(organizationId, { externalId: `E-${n}`, autoDispatch: n % 3 > 0 });
    if (n % 4 === 0) await under.orders.cancelOrder({ organizationId, id, reason: 'of the test' });
  }
  const all = await walk(organizationId, {}, 100);
  expect(all).toHaveLength(24);
  const statuses = [undefined, 'DRAFT', 'SUBMITTED', 'CANCELLED', 'CLOSED'];
  const externalIds = [undefined, 'E-4', 'E-5', 'none'];
  // changes of old orders, orders made since, and the very moment of a change
  const moments = [
    undefined,
    ...all.flatMap((o) => [o.updated_at, o.created_at]),
    '2030-01-01T00:00:00Z',
  ];
  for (const status of statuses)
    for (const externalId of externalIds)
      for (const updatedSince of moments) {
        const filters = {
          ...(status !== undefined && { status }),
          ...(externalId !== undefined && { externalId }),
          ...(updatedSince !== undefined && { updatedSince }),
        };
        const expected = all.filter(
          (order) =>
            (status === undefined || order.status === status) &&
            (externalId === undefined || order.external_id === externalId) &&
            (updatedSince === undefined || order.updated_at >= updatedSince),
        );
        expect(idsOf(await walk(organizationId, filters, 5))).toEqual(idsOf(expected));
      }
}, 120_000);

test('a cursor is rejected if it is forged, of other filters or of another organization', async () => {
  const organizationId = randomUUID();
  for (let n = 0; n < 3; n++) await make(organizationId);
  const { nextCursor } = await under.orders.listOrders({ organizationId, limit: 2 });
  const cursor = nextCursor!;
  const refused = { kind: 'VALIDATION', details: { detail: [{ loc: ['query', 'cursor'] }] } };
  const tampered = [...cursor].map(
    (letter, n) => `${cursor.slice(0, n)}${letter === 'A' ? 'B' : 'A'}${cursor.slice(n + 1)}`,
  );
  const ask = (more: object) => under.orders.listOrders({ organizationId, limit: 2, ...more });
  for (const forged of [...tampered, '', 'x', cursor.slice(0, -1), `${cursor}A`, `${cursor}=`])
    await expect(ask({ cursor: forged })).rejects.toMatchObject(refused);
  await expect(ask({ cursor, status: 'SUBMITTED' })).rejects.toMatchObject(refused);
  await expect(ask({ cursor, updatedSince: '2026-01-01T00:00:00Z' })).rejects.toMatchObject(
    refused,
  );
  await expect(ask({ cursor, organizationId: randomUUID() })).rejects.toMatchObject(refused);
  expect((await ask({ cursor, limit: 50 })).bodies).toHaveLength(1);
});
