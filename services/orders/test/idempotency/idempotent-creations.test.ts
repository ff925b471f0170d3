import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import {
  anOrder,
  asOwner,
  bodyOf,
  keyed,
  type OrdersUnderTest,
  startOrdersService,
} from '../orders-service.ts';

let under: OrdersUnderTest;
beforeAll(async () => {
  under = await startOrdersService();
});
afterAll(() => under.stop());

const count = async (organizationId: string): Promise<number> =>
  (await under.orders.listOrders({ organizationId, limit: 100 })).bodies.length;

test('the response is the order, as get returns it', async () => {
  const request = anOrder({ externalId: 'A-1', notes: 'Bitte klingeln' });
  const created = bodyOf(await under.orders.createOrder(request));
  expect(created).toMatchObject({
    external_id: 'A-1',
    status: 'SUBMITTED',
    sla: 'EXPRESS',
    source: 'partner_api',
    dropoff_address_text: 'Marienplatz 1, 80331 München',
    pickup_window_start: '2026-12-01T08:00:00.000Z',
    items: [{ goods_type: 'blood', seal_id: null }],
    price_total: null,
    notes: 'Bitte klingeln',
  });
  expect(created.pickup_location).toMatchObject({
    zip: '10117',
    label: 'Charitéplatz 1, 10117 Berlin',
  });
  const { organizationId } = request;
  const { id } = created;
  expect(bodyOf(await under.orders.getOrder({ organizationId, id }))).toEqual(created);
  expect(await under.orders.getSequence({ organizationId, id })).toMatchObject({ sequence: 1 });
});

describe('the same key', () => {
  test('with the same body gets the stored response byte for byte, and no second order', async () => {
    const request = anOrder(keyed('k-1'));
    const first = await under.orders.createOrder(request);
    const second = await under.orders.createOrder(request);
    expect([first.replayed, second.replayed]).toEqual([false, true]);
    expect(Buffer.from(second.body)).toEqual(Buffer.from(first.body));
    expect(await count(request.organizationId)).toBe(1);
  });

  test('with another body is rejected', async () => {
    const request = anOrder(keyed('k-2'));
    await under.orders.createOrder(request);
    const refused = under.orders.createOrder({ ...request, ...keyed('k-2', 2) });
    await expect(refused).rejects.toMatchObject({ kind: 'IDEMPOTENCY_KEY_REUSED' });
  });

  test('of another organization is another key', async () => {
    const one = bodyOf(await under.orders.createOrder(anOrder(keyed('k-3'))));
    const other = bodyOf(await under.orders.createOrder(anOrder(keyed('k-3'))));
    expect(one.id).not.toBe(other.id);
  });

  test('is free again after a failed try', async () => {
    const organizationId = randomUUID();
    const lost = { place: { case: 'locationId' as const, value: randomUUID() } };
    const failing = anOrder({ organizationId, pickup: lost, ...keyed('k-4') });
    await expect(under.orders.createOrder(failing)).rejects.toMatchObject({
      kind: 'LOCATION_NOT_FOUND',
      details: { field: 'pickup.location_id' },
    });
    const answer = await under.orders.createOrder(anOrder({ organizationId, ...keyed('k-4', 2) }));
    expect(answer.replayed).toBe(false);
  });

  test('waits up to its deadline for a concurrent request, and creates no order', async () => {
    const request = anOrder(keyed('k-6'));
    const { organizationId } = request;
    await asOwner(under.database, async (owner) => {
      await owner.query('begin');
      await owner.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
        [organizationId, 'POST /orders', 'k-6'].join('\n'),
      ]);
      // longer than the 7 s after which the database client ends a statement
      const waiting = under.orders.createOrder(request, { deadline: performance.now() + 8000 });
      await expect(waiting).rejects.toMatchObject({
        kind: 'IDEMPOTENCY_IN_PROGRESS',
        retryAfterSeconds: 1,
      });
      await owner.query('rollback');
    });
    expect(await count(organizationId)).toBe(0);
    expect((await under.orders.createOrder(request)).replayed).toBe(false);
  });

  test('fifty times at the same moment makes one order and 49 replays', async () => {
    const request = anOrder(keyed('k-5'));
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => under.orders.createOrder(request)),
    );
    expect(answers.filter((answer) => answer.replayed)).toHaveLength(49);
    expect(new Set(answers.map((answer) => Buffer.from(answer.body).toString())).size).toBe(1);
    expect(await count(request.organizationId)).toBe(1);
  });
});

test('of twenty orders with one external_id at the same moment one is made, and the others name it', async () => {
  const request = anOrder({ externalId: 'taken' });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      under.orders.createOrder(request).then(bodyOf, (error: Failure) => error),
    ),
  );
  const made = answers.filter((answer) => !(answer instanceof Failure));
  expect(made).toHaveLength(1);
  for (const answer of answers)
    if (answer instanceof Failure)
      expect(answer).toMatchObject({
        kind: 'DUPLICATE_EXTERNAL_ID',
        details: { field: 'external_id', order_id: (made[0] as { id: string }).id },
      });
});

test('an address that cannot be resolved leaves nothing behind', async () => {
  const organizationId = randomUUID();
  const nowhere = { street: 'Weg 1', zip: '00000', city: 'Nirgendwo', country: 'DE' };
  const failing = anOrder({
    organizationId,
    dropoff: { place: { case: 'address', value: nowhere } },
  });
  await expect(under.orders.createOrder(failing)).rejects.toMatchObject({
    kind: 'ADDRESS_NOT_RESOLVED',
    details: { field: 'dropoff.address' },
  });
  expect(await count(organizationId)).toBe(0);
  expect((await under.locations.listLocations({ organizationId })).locations).toEqual([]);
});
