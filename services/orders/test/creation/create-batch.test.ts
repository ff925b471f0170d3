import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { until } from '@pto/testing';
import { isHeavy } from '../../src/creation/create-order.ts';
import { type Batches, openBatches } from '../open-batches.ts';
import { anOrder, bodyOf, type OrdersUnderTest, startOrdersService } from '../orders-service.ts';

let under: OrdersUnderTest;
let one: Batches;
beforeAll(async () => {
  under = await startOrdersService();
  one = await openBatches(under.database);
});
afterEach(() => one.admin.query('rollback'));
afterAll(async () => {
  await one.close();
  await under.stop();
});

const made = (bodies: readonly (Buffer | null)[]): boolean[] => bodies.map((body) => body !== null);

test('creations of one moment share a transaction, and each has its own order, event and request', async () => {
  const organizationId = await one.organization();
  const keys = Array.from({ length: 20 }, (_, n) => `k-${n}`);
  const creations = keys.map((key) => one.creation({ organizationId, key, requestId: `r-${key}` }));
  const before = one.transactions();
  const bodies = await Promise.all(creations.map(one.create));
  expect(one.transactions()).toBe(before + 1);
  const ids = bodies.map((body) => bodyOf({ body: body! }).id);
  expect(new Set(ids).size).toBe(20);
  const { rows } = await one.admin.query(
    'select key, request_id from outbox where key = any ($1) order by id',
    [ids],
  );
  expect(rows).toEqual(ids.map((key, n) => ({ key, request_id: `r-k-${n}` })));
  const stored = await one.admin.query(
    'select key, answer from idempotency where organization_id = $1',
    [organizationId],
  );
  expect(new Map(stored.rows.map(({ key, answer }) => [key, answer]))).toEqual(
    new Map(keys.map((key, n) => [key, bodies[n]])),
  );
});

test('a batch has at most 32 creations, and an order with more than 100 items is heavy', async () => {
  const organizationId = await one.organization();
  const before = one.transactions();
  const bodies = await Promise.all(
    Array.from({ length: 33 }, () => one.create(one.creation({ organizationId }))),
  );
  expect(made(bodies)).not.toContain(false);
  expect(one.transactions()).toBe(before + 2);
  const withItems = (count: number) =>
    one.creation({ organizationId, goodsTypes: Array<string>(count).fill('blood') }).request;
  expect([100, 101].map((count) => isHeavy(withItems(count)))).toEqual([false, true]);
});

describe('a creation that cannot succeed at once has no effect, and its neighbors have theirs', () => {
  const besideGood = async (...creations: Parameters<Batches['creation']>[0][]) => {
    const organizationId = await one.organization();
    const all = [{ organizationId }, ...creations, { organizationId }].map(one.creation);
    const before = one.transactions();
    const [first, ...bodies] = await Promise.all(all.map(one.create));
    expect(one.transactions()).toBe(before + 1);
    expect(made([first!, bodies.pop()!])).toEqual([true, true]);
    return made(bodies);
  };
  const count = async (organizationId: string) => {
    const { rows } = await one.admin.query('select from orders where organization_id = $1', [
      organizationId,
    ]);
    return rows.length - 1; // `organization` has created one
  };

  test('a second one with the same key', async () => {
    const organizationId = await one.organization();
    const same = { organizationId, key: 'same' };
    expect(await besideGood(same, same, same)).toEqual([true, false, false]);
    expect(await count(organizationId)).toBe(1);
  });

  test('one whose key has a response', async () => {
    const organizationId = await one.organization();
    expect(await besideGood({ organizationId, key: 'stored' })).toEqual([true]);
    expect(await besideGood({ organizationId, key: 'stored' })).toEqual([false]);
    expect(await count(organizationId)).toBe(1);
  });

  test('one whose key another process uses', async () => {
    const organizationId = await one.organization();
    await one.admin.query('begin');
    const name = [organizationId, 'POST /orders', 'held'].join('\n');
    await one.admin.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
    expect(await besideGood({ organizationId, key: 'held' })).toEqual([false]);
  });

  test('one whose organization polls at that moment', async () => {
    const organizationId = await one.organization();
    await one.admin.query('begin');
    await one.admin.query('select pg_advisory_xact_lock(14, hashtext($1))', [organizationId]);
    expect(await besideGood({ organizationId })).toEqual([false]);
  });

  test('ones with an external_id that is taken or that is in the batch twice', async () => {
    const organizationId = await one.organization();
    await one.create(one.creation({ organizationId, externalId: 'taken' }));
    const external = (externalId: string) => ({ organizationId, externalId });
    expect(await besideGood(...['taken', 'twice', 'twice'].map(external))).toEqual([
      false,
      true,
      false,
    ]);
    expect(await count(organizationId)).toBe(2);
  });

  test("one with a new address, and one with another organization's location", async () => {
    const [organizationId, other] = [randomUUID(), await one.organization()];
    const { rows } = await one.admin.query('select id from locations where organization_id = $1', [
      other,
    ]);
    const stop = { id: rows[0].id, field: 'pickup.location_id' };
    expect(await besideGood({ organizationId })).toEqual([false]);
    const known = await one.organization();
    expect(await besideGood({ organizationId: known, pickup: stop })).toEqual([false]);
  });
});

test('a row that the database rejects fails alone', async () => {
  const organizationId = await one.organization();
  const create = (more: object) => under.orders.createOrder(anOrder({ organizationId, ...more }));
  const results = await Promise.allSettled([
    create({}),
    create({ pickupWindowStart: 'never' }),
    create({}),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('if the database becomes unavailable, a creation is not repeated, because it may be committed', async () => {
  const creation = one.creation({ organizationId: await one.organization() });
  const lost = new Failure('SERVICE_UNAVAILABLE', 'The connection was lost.');
  await expect(one.createThenFail(lost)(creation)).rejects.toBe(lost);
  const rolledBack = new Failure('DEADLINE_EXCEEDED', 'This took too long.');
  expect(await one.createThenFail(rolledBack)(creation)).toBeNull();
});

test('a caller that disconnects does not cancel the others', async () => {
  const organizationId = await one.organization();
  const order = anOrder({ organizationId });
  await one.admin.query('begin');
  await one.admin.query('lock table orders in share mode');
  const gone = new AbortController();
  const calls = [
    under.orders.createOrder(order, { signal: gone.signal }),
    under.orders.createOrder(order),
  ];
  const results = Promise.allSettled(calls);
  await until(
    async () => {
      const { rowCount } = await one.admin.query(
        "select from pg_locks where relation = 'orders'::regclass and not granted",
      );
      return rowCount === 1;
    },
    { what: 'the batch to wait' },
  );
  gone.abort();
  await expect(calls[0]).rejects.toBeInstanceOf(Failure);
  await one.admin.query('rollback');
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

test('batches of two processes with the same external ids in another order do not deadlock', async () => {
  const two = await openBatches(under.database);
  const organizationId = await one.organization();
  await one.admin.query(`create function insert_slowly() returns trigger language plpgsql as $$
    begin perform pg_sleep(0.05); return new; end $$`);
  await one.admin.query(`create trigger insert_slowly before insert on orders
    for each row execute function insert_slowly()`);
  const before = one.transactions();
  const externalIds = ['1', '2', '3', '4'];
  const create = (batches: Batches, ids: readonly string[]) =>
    Promise.all(
      ids.map((externalId) => batches.create(one.creation({ organizationId, externalId }))),
    );
  const bodies = await Promise.all([
    create(one, externalIds),
    create(two, externalIds.toReversed()),
  ]);
  expect(bodies.flat().filter((body) => body !== null)).toHaveLength(4);
  // a transaction that a deadlock has ended begins again
  expect([one.transactions() - before, two.transactions()]).toEqual([1, 1]);
  await two.close();
  await one.admin.query('drop trigger insert_slowly on orders');
});
