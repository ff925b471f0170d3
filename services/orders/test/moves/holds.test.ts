import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { levels } from '@pto/moves';
import { pngPicture, readingsCsv, until } from '@pto/testing';
import { Client } from 'pg';
import { aHandover, anOrderThat } from '../changes/an-order-in-transit.ts';
import {
  anOrder,
  asOwner,
  bodyOf,
  charite,
  keyed,
  type OrdersUnderTest,
  startOrdersService,
} from '../orders-service.ts';
import { isHeld, isLater } from './failures.ts';
import { startLoad, stopLoads } from './load.ts';
import { rowsOf } from './rows.ts';

let under: OrdersUnderTest;
beforeAll(async () => {
  under = await startOrdersService();
});
afterAll(async () => {
  await stopLoads();
  await under.stop();
});

const hold = (
  organizationId: string,
  token = '1',
  level: (typeof levels)['paused' | 'held'] = levels.held,
) => under.moves.hold({ organizationId, token, level });

test('after a hold under load no row changes, and every creation either was committed or failed', async () => {
  const organizationId = randomUUID();
  const load = startLoad(under, organizationId);
  await until(() => load.created.size >= 40, { what: 'orders before the hold' });
  await hold(organizationId);
  const held = await rowsOf(under, organizationId);
  const rejectedBefore = load.rejected;
  await until(() => load.rejected > rejectedBefore + 100, { what: 'rejected calls' });
  await load.stop();
  expect([...load.failures]).toEqual(['ORGANIZATION_HELD']);
  expect(await rowsOf(under, organizationId)).toEqual(held);
  const stored = new Set<string>();
  await asOwner(under.database, async (owner) => {
    const { rows } = await owner.query<{ id: string }>(
      'select external_id as id from orders where organization_id = $1',
      [organizationId],
    );
    for (const { id } of rows) stored.add(id);
  });
  expect(stored).toEqual(load.created);
}, 60_000);

test('every change of a held organization fails, and reads and replays go on', async () => {
  const order = await anOrderThat(under, 'SEALED');
  const { organizationId, orderId, circumstances } = order;
  const request = anOrder({ organizationId, ...keyed('K') });
  const created = await under.orders.createOrder(request);
  const location = { organizationId, label: 'L', ...charite };
  const draft = bodyOf(
    await under.orders.createOrder(anOrder({ organizationId, autoDispatch: false })),
  );
  await hold(organizationId);
  const before = await rowsOf(under, organizationId);
  const artifact = { content: pngPicture(1), mediaType: 'image/png' };
  const readings = {
    content: Buffer.from(readingsCsv(4)),
    ...{ mediaType: 'text/csv', deviceId: 'LOG-7', unit: 'celsius' },
  };
  const heavy = Array<string>(101).fill('blood');
  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    creation: () => under.orders.createOrder(anOrder({ organizationId })),
    'creation with a key': () => under.orders.createOrder({ ...request, ...keyed('K-2') }),
    'heavy creation': () =>
      under.orders.createOrder(anOrder({ organizationId, goodsTypes: heavy })),
    location: () => under.locations.createLocation({ ...location, street: 'Other 1' }),
    'location that exists': () => under.locations.createLocation(location),
    poll: () =>
      under.orders.listOrders({
        organizationId,
        limit: 1,
        updatedSince: '2026-01-01T00:00:00.000Z',
      }),
    submission: () => under.orders.submitOrder({ organizationId, id: draft.id }),
    cancelation: () => under.orders.cancelOrder({ organizationId, id: draft.id, reason: 'r' }),
    command: () => under.commands.startTransport({ circumstances }),
    'command with an id': () =>
      under.commands.startTransport({ circumstances: { orderId, commandId: randomUUID() } }),
    handover: () => under.commands.recordHandover({ circumstances, ...aHandover() }),
    'handover with a file': () =>
      under.commands.recordHandover({
        circumstances,
        ...aHandover({ methods: ['photo'], artifact }),
      }),
    condition: () => under.orders.recordCondition({ organizationId, orderId, readings }),
    erasure: () => under.commands.erasePersonalData({ circumstances, fields: [], reason: 'r' }),
  };
  for (const [name, change] of Object.entries(changes)) {
    const failed = await change().then(
      () => ({ kind: `${name} succeeded` }),
      (error: unknown) => error,
    );
    expect(failed).toMatchObject(isHeld);
  }
  expect(await rowsOf(under, organizationId)).toEqual(before);
  expect(await under.storedFiles(orderId)).toEqual([]);
  await under.orders.getOrder({ organizationId, id: orderId });
  await under.orders.listOrders({ organizationId, limit: 1 });
  await under.locations.listLocations({ organizationId });
  const replay = await under.orders.createOrder(request);
  expect([replay.replayed, Buffer.from(replay.body)]).toEqual([true, Buffer.from(created.body)]);
  await under.moves.release({ organizationId, token: '1' });
  await under.commands.startTransport({ circumstances });
  await under.orders.createOrder(anOrder({ organizationId }));
}, 30_000);

test('a hold waits for a change in progress', async () => {
  const { organizationId, orderId, circumstances } = await anOrderThat(under, 'SEALED');
  const owner = new Client({ connectionString: under.database.ownerUrl });
  await owner.connect();
  try {
    await owner.query('begin');
    await owner.query('select from orders where id = $1 for update', [orderId]);
    const command = under.commands.startTransport({ circumstances });
    const waiting = (lock: 'transactionid' | 'advisory') =>
      until(
        async () => {
          const { rows } = await owner.query(
            'select from pg_locks where locktype = $1 and not granted',
            [lock],
          );
          return rows.length > 0;
        },
        { what: `a wait for a lock (${lock})` },
      );
    await waiting('transactionid');
    let held = false;
    const holding = hold(organizationId).then(() => {
      held = true;
    });
    await waiting('advisory');
    expect(held).toBe(false);
    await owner.query('commit');
    await command;
    await holding;
  } finally {
    await owner.end();
  }
});

test('creations of another organization share batches with a held one, and neither wait nor fail', async () => {
  const [heldOne, other] = [randomUUID(), randomUUID()];
  for (const organizationId of [heldOne, other])
    await under.orders.createOrder(anOrder({ organizationId }));
  await hold(heldOne);
  const results = await Promise.all(
    Array.from({ length: 120 }, (_, n) => {
      const organizationId = n % 2 === 0 ? heldOne : other;
      return under.orders.createOrder(anOrder({ organizationId })).then(
        () => [organizationId, 'created'] as const,
        ({ kind }) => [organizationId, String(kind)] as const,
      );
    }),
  );
  expect(new Set(results.map((result) => result.join(' ')))).toEqual(
    new Set([`${heldOne} ORGANIZATION_HELD`, `${other} created`]),
  );
}, 30_000);

test('a call with an older token is rejected, and the same token again is not', async () => {
  const organizationId = randomUUID();
  await hold(organizationId, '5');
  await hold(organizationId, '5');
  await expect(hold(organizationId, '4')).rejects.toMatchObject(isLater);
  await expect(under.moves.release({ organizationId, token: '4' })).rejects.toMatchObject(isLater);
  await expect(under.orders.createOrder(anOrder({ organizationId }))).rejects.toMatchObject(isHeld);
  await hold(organizationId, '6', levels.paused);
  await under.orders.createOrder(anOrder({ organizationId }));
  await under.moves.release({ organizationId, token: '6' });
  await under.moves.release({ organizationId, token: '6' });
});

test('a hold with an older token after a release is rejected, and changes go on', async () => {
  const organizationId = randomUUID();
  await hold(organizationId, '5');
  await under.moves.release({ organizationId, token: '6' });
  for (const token of ['5', '6'])
    await expect(hold(organizationId, token)).rejects.toMatchObject(isLater);
  await under.orders.createOrder(anOrder({ organizationId }));
  await hold(organizationId, '7');
  await expect(under.orders.createOrder(anOrder({ organizationId }))).rejects.toMatchObject(isHeld);
});

test('the periodic work leaves held organizations alone', async () => {
  const aClosedOrder = async () => {
    const { organizationId, orderId, circumstances } = await anOrderThat(under, 'IN_TRANSIT');
    await under.commands.deliverOrder({ circumstances: { orderId, commandId: randomUUID() } });
    await under.commands.closeOrder({ circumstances });
    return organizationId;
  };
  const organizationId = await aClosedOrder();
  const free = await aClosedOrder();
  await hold(organizationId);
  await asOwner(under.database, (owner) =>
    owner.query("update orders set last_event_at = '2026-01-01T00:00:00Z'"),
  );
  const before = await rowsOf(under, organizationId);
  expect(before.disclosures.length).toBeGreaterThan(0);
  expect(before.done_commands.length).toBe(1);
  const replica = await startOrdersService({
    ...{ database: under.database, bus: under.bus },
    environment: { CUSTODY_PERSONAL_RETENTION: '30d', ORDERS_IDEMPOTENCY_KEEP: '1s' },
  });
  try {
    const isDone = async () => {
      const { disclosures, done_commands } = await rowsOf(under, free);
      return disclosures.length === 0 && done_commands.length === 0;
    };
    await until(isDone, { what: 'the periodic work of another organization' });
  } finally {
    await replica.stop();
  }
  expect(await rowsOf(under, organizationId)).toEqual(before);
});
