import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase } from '@pto/database';
import { holding, levels } from '@pto/moves';
import { createTelemetry } from '@pto/telemetry';
import { until } from '@pto/testing';
import { copyEntries, newestNumbers } from '../../src/mover/ledger.ts';
import { copyOrders, markOrders } from '../../src/mover/orders.ts';
import { copyWebhooks, markWebhooks } from '../../src/mover/webhooks.ts';
import { placeOrder, rowsIn, settled, startTwoCells, type TwoCells } from './two-cells.ts';

let cells: TwoCells;
beforeAll(async () => {
  cells = await startTwoCells();
  cells.startMover();
}, 120_000);
afterAll(() => cells?.stop());

/** Places orders until it is stopped. */
const startLane = (organizationId: string, name: string) => {
  const placed: string[] = [];
  let goesOn = true;
  const working = (async () => {
    for (let n = 0; goesOn; n++)
      placed.push(await placeOrder(cells, organizationId, `${name}-${n}`));
  })();
  working.catch(() => {}); // `stop` rejects
  return {
    placed,
    stop: async () => {
      goesOn = false;
      await working;
    },
  };
};

const subscribed = async (organizationId: string) => {
  const receiver = await cells.receiver();
  const { endpoint } = await cells.main.webhooks.webhooks.createEndpoint({
    organizationId,
    url: receiver.url,
  });
  return { receiver, endpoint: endpoint! };
};

test('an organization moves under load and back: nothing is lost, nothing comes twice', async () => {
  const [mine, other] = [await cells.newOrganization(), await cells.newOrganization()];
  const { receiver } = await subscribed(mine);
  await placeOrder(cells, other);
  await settled(cells, other);
  const isolated = {
    main: await rowsIn(cells, 'main', other),
    north: await rowsIn(cells, 'north', other),
  };
  const lanes = ['a', 'b', 'c'].map((name) => startLane(mine, name));
  const placed = () => lanes.flatMap((lane) => lane.placed);
  for (const to of ['north', 'main'] as const) {
    const before = placed().length;
    await until(() => placed().length > before + 10, { what: 'orders', deadlineMs: 60_000 });
    await cells.begin(mine, to);
    const { held_ms } = await cells.whenPhase(mine, 'RETIRING');
    expect(held_ms).toBeLessThan(8000);
    expect(await cells.cellOf(mine)).toBe(to);
    const after = placed().length;
    await until(() => placed().length > after + 10, { what: 'orders', deadlineMs: 60_000 });
    await cells.hurry(mine);
    await cells.whenPhase(mine, 'MOVED');
  }
  await Promise.all(lanes.map((lane) => lane.stop()));
  const ids = placed();
  await settled(cells, mine);
  const [stored] = await cells.inCell<{ ids: string[]; recorded: number }>(
    ...([
      'main',
      'orders',
      'select array_agg(id::text) as ids, count(carrier_id)::int as recorded from orders where organization_id = $1',
      mine,
    ] as const),
  );
  expect(stored!.ids.toSorted()).toEqual(ids.toSorted());
  expect(stored!.recorded).toBe(ids.length);
  // three events of each order, once, and one stream without a gap
  await until(() => receiver.received.length >= ids.length * 3, {
    what: 'the webhooks',
    deadlineMs: 60_000,
  });
  const numbers = receiver.received.map(({ sequence }) => sequence).toSorted((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: ids.length * 3 }, (_, n) => n + 1));
  const feed = await cells.inCell<{ number: string; event_hash: string }>(
    ...([
      'main',
      'custody',
      'select number, event_hash from log_leaves where organization_id = $1 order by number',
      mine,
    ] as const),
  );
  expect(feed.map(({ number }) => Number(number))).toEqual(
    Array.from({ length: ids.length * 3 }, (_, n) => n + 1),
  );
  // the ledger that it has left is a beginning of the one that it is in
  const left = await cells.inCell<{ number: string; event_hash: string }>(
    ...([
      'north',
      'custody',
      'select number, event_hash from log_leaves where organization_id = $1 order by number',
      mine,
    ] as const),
  );
  expect(left).toEqual(feed.slice(0, left.length));
  for (const cell of [cells.main, cells.north]) {
    expect((await cell.ledger.verifyChains({})).faults).toEqual([]);
    expect((await cell.ledger.verifyLog({})).faults).toEqual([]);
  }
  const gone = await rowsIn(cells, 'north', mine);
  for (const table of [
    'orders',
    'locations',
    'idempotency',
    'done_commands',
    'endpoints',
    'events',
    'deliveries',
  ])
    expect([table, gone[table]]).toEqual([table, []]);
  expect(gone.moved_orders!.length).toBeGreaterThan(0);
  expect({
    main: await rowsIn(cells, 'main', other),
    north: await rowsIn(cells, 'north', other),
  }).toEqual(isolated);
  await placeOrder(cells, other);
}, 300_000);

test('the target has each row of the source, and nothing is sent while it is held', async () => {
  const id = await cells.newOrganization();
  const { receiver } = await subscribed(id);
  await placeOrder(cells, id);
  await until(() => receiver.received.length === 3, { what: 'the webhooks' });
  receiver.answer = 503;
  await placeOrder(cells, id);
  await until(() => receiver.received.length >= 6, { what: 'the attempts' });
  await cells.begin(id);
  await cells.whenPhase(id, 'HOLDING');
  const before = receiver.received.length;
  await cells.whenPhase(id, 'RETIRING');
  const [source, target] = [await rowsIn(cells, 'main', id), await rowsIn(cells, 'north', id)];
  for (const table of [
    'orders',
    'locations',
    'produced_events',
    'done_commands',
    'events',
    'chains',
    'log_leaves',
    'endpoint_secrets',
  ])
    expect([table, target[table]]).toEqual([table, source[table]]);
  receiver.answer = 204;
  await until(() => receiver.received.length > before, { what: 'the retries', deadlineMs: 60_000 });
  await placeOrder(cells, id);
  await cells.hurry(id);
  await cells.whenPhase(id, 'MOVED');
}, 180_000);

test('an operator cancels a move: the source serves on, the target keeps nothing', async () => {
  const id = await cells.newOrganization();
  await placeOrder(cells, id);
  await settled(cells, id);
  const before = await rowsIn(cells, 'main', id);
  await cells.begin(id);
  await cells.sql(
    'update organization_moves set cancel_requested = true where organization_id = $1',
    id,
  );
  const { failure } = await cells.whenPhase(id, 'CANCELLED');
  expect(failure).toBe('an operator canceled the move');
  expect(await rowsIn(cells, 'main', id)).toEqual(before);
  const copy = await rowsIn(cells, 'north', id);
  expect([copy.orders, copy.endpoints]).toEqual([[], []]);
  await placeOrder(cells, id);
}, 120_000);

test('a move of a restored access changes no row of a target that serves', async () => {
  const id = await cells.newOrganization();
  await placeOrder(cells, id);
  await cells.begin(id);
  await cells.whenPhase(id, 'RETIRING');
  await placeOrder(cells, id);
  await settled(cells, id);
  const before = { main: await rowsIn(cells, 'main', id), north: await rowsIn(cells, 'north', id) };
  for (const phase of ['COPYING', 'HOLDING', 'CANCELLING']) {
    await cells.sql(
      `update organization_moves set phase = $2, switched_at = null, next_try_at = '-infinity', failure = null where organization_id = $1`,
      ...[id, phase],
    );
    await until(async () => (await cells.moveOf(id)).failure?.includes('no move holds them'), {
      what: 'the failure',
      deadlineMs: 30_000,
    });
    expect({
      main: await rowsIn(cells, 'main', id),
      north: await rowsIn(cells, 'north', id),
    }).toEqual(before);
    const [held] = await cells.inCell(
      'main',
      'orders',
      'select level from held_organizations where organization_id = $1',
      id,
    );
    expect(held).toEqual({ level: 2 });
  }
  await cells.sql(
    "update organization_moves set phase = 'RETIRING', switched_at = now(), next_try_at = '-infinity' where organization_id = $1",
    id,
  );
  await cells.whenPhase(id, 'MOVED');
}, 120_000);

test('a ledger that contradicts the source ends the move, and the target keeps its ledger', async () => {
  const id = await cells.newOrganization();
  await placeOrder(cells, id);
  await cells.begin(id);
  await cells.whenPhase(id, 'RETIRING');
  await cells.hurry(id);
  await cells.whenPhase(id, 'MOVED');
  await placeOrder(cells, id);
  await settled(cells, id);
  const forge = (text: string) =>
    cells.inCell('north', 'custody', `set session_replication_role = replica; ${text}`);
  const [entry] = await cells.inCell<{ id: string }>(
    ...([
      'north',
      'custody',
      `select e.id from entries e join log_leaves l using (order_id, sequence)
       where l.organization_id = $1 order by number desc limit 1`,
      id,
    ] as const),
  );
  await forge(`update entries set ts_utc = '2020-01-01T00:00:00.000Z' where id = '${entry!.id}'`);
  const before = await rowsIn(cells, 'main', id);
  await cells.begin(id, 'main');
  const { failure } = await cells.whenPhase(id, 'CANCELLED');
  expect(failure).toContain('A page of the ledger was not stored');
  expect((await rowsIn(cells, 'main', id)).log_leaves).toEqual(before.log_leaves);
  await placeOrder(cells, id);
}, 120_000);

test.each([
  ['orders', 'ORDERS_CURSOR_KEY', 'The setting ORDERS_CURSOR_KEY of orders differs'],
  ['orders', 'ARTIFACTS_KEYS', 'The setting ARTIFACTS_KEYS of orders differs'],
  [
    'orders',
    'ARTIFACTS_DIR or ARTIFACTS_BUCKET',
    'The setting ARTIFACTS_DIR or ARTIFACTS_BUCKET of orders',
  ],
  ['webhooks', 'WEBHOOKS_SECRET_KEYS', 'The setting WEBHOOKS_SECRET_KEYS of webhooks differs'],
  ['webhooks', 'PUBLIC_BASE_URL', 'The setting PUBLIC_BASE_URL of webhooks differs'],
  ['webhooks', 'ENVIRONMENT', 'The setting ENVIRONMENT of webhooks differs'],
] as const)(
  'cells whose %s has another %s end the move',
  async (database, name, words) => {
    const id = await cells.newOrganization();
    await placeOrder(cells, id);
    const [stored] = await cells.inCell<{ tags: string[] }>(
      ...(['north', database, 'select tags from move_settings where name = $1', name] as const),
    );
    const set = (tags: readonly string[]) =>
      cells.inCell(
        'north',
        database,
        'update move_settings set tags = $2 where name = $1',
        name,
        tags,
      );
    await set(['another']);
    await cells.begin(id);
    const { failure } = await cells.whenPhase(id, 'CANCELLED');
    expect(failure).toContain(words);
    // a further key in the target alone is no difference
    await set([...stored!.tags, 'another']);
    await cells.begin(id);
    await cells.whenPhase(id, 'RETIRING');
    await set(stored!.tags);
  },
  60_000,
);

test('cells with different schemas, or an open violation, end the move', async () => {
  const id = await cells.newOrganization();
  const orderId = await placeOrder(cells, id);
  await cells.inCell(
    'north',
    'custody',
    "insert into migrations (name) values ('29991231235959_later')",
  );
  await cells.begin(id);
  const { failure } = await cells.whenPhase(id, 'CANCELLED');
  expect(failure).toContain('The cells run different releases: custody has the schema');
  await cells.inCell('north', 'custody', "delete from migrations where name like '2999%'");
  await cells.inCell(
    ...([
      'main',
      'orders',
      `insert into integrity_violations (organization_id, id, order_id, entry_id, reason)
       values ($1, gen_random_uuid(), $2, 'e', 'r')`,
      id,
      orderId,
    ] as const),
  );
  await cells.begin(id);
  const second = await cells.whenPhase(id, 'CANCELLED');
  expect(second.failure).toContain(`operator ledger acknowledge ${orderId}`);
  await placeOrder(cells, id);
}, 60_000);

test('a hold waits for a custody event that webhooks has not handled, until it is discarded', async () => {
  const id = await cells.newOrganization();
  await subscribed(id);
  await placeOrder(cells, id);
  await settled(cells, id);
  const [handled] = await cells.inCell<{ event_id: string }>(
    ...([
      'main',
      'webhooks',
      'select event_id from events where organization_id = $1 limit 1',
      id,
    ] as const),
  );
  await cells.inCell(
    'main',
    'webhooks',
    'delete from inbox where event_id = $1',
    handled!.event_id,
  );
  await cells.begin(id);
  await until(
    async () =>
      `${(await cells.moveOf(id)).waits_for}`.includes('1 custody events that the dispatcher'),
    {
      what: 'the wait',
      deadlineMs: 30_000,
    },
  );
  await cells.inCell(
    ...([
      'main',
      'webhooks',
      `insert into dead_letters (id, consumer, topic, partition, "offset", key, event_id, type,
         value, reason, replayed_at, discarded_by, discard_reason)
       values (gen_random_uuid(), 'webhooks.dispatcher', 'custody.custody-events.v1', 0, 1, 'k', $1, 't', '', 'r',
         now(), 'o', 'r')`,
      handled!.event_id,
    ] as const),
  );
  await cells.whenPhase(id, 'RETIRING');
}, 90_000);

test('a difference of counts switches nothing, and the next try copies all rows again', async () => {
  const id = await cells.newOrganization();
  await placeOrder(cells, id);
  await settled(cells, id);
  await cells.begin(id);
  await cells.whenPhase(id, 'HOLDING');
  await until(
    async () =>
      (
        await cells.inCell(
          'north',
          'orders',
          'delete from entry_operators where organization_id = $1 returning 1',
          id,
        )
      ).length > 0,
    { what: 'the copied rows' },
  );
  const failed = await until(async () => (await cells.moveOf(id)).failure, {
    what: 'the failure',
    deadlineMs: 30_000,
  });
  expect(failed).toMatch(/^orders: entry_operators has 2 rows in main and \d in north/);
  expect(await cells.cellOf(id)).toBe('main');
  await cells.whenPhase(id, 'RETIRING');
  expect((await rowsIn(cells, 'north', id)).entry_operators).toHaveLength(2);
}, 90_000);

test('no organization switches before all gateways know that it moves, and before its entries are anchored', async () => {
  const id = await cells.newOrganization();
  await placeOrder(cells, id);
  await cells.begin(id);
  await cells.sql(
    'update organization_moves set started_at = now() where organization_id = $1',
    id,
  );
  await cells.whenPhase(id, 'SWITCHED', 'RETIRING');
  const [{ age }] = (await cells.sql<{ age: number }>(
    `select extract(epoch from switched_at - started_at)::float8 as age from organization_moves
     where organization_id = $1`,
    id,
  )) as [{ age: number }];
  expect(age).toBeGreaterThanOrEqual(6);
  const [log] = await cells.inCell<{ covered: boolean }>(
    ...([
      'north',
      'custody',
      `select max(leaf_index) < (select anchored_size from log_state) as covered from log_leaves
       where organization_id = $1`,
      id,
    ] as const),
  );
  expect(log).toEqual({ covered: true });
}, 60_000);

test('a lost lease ends in the hold as with a claim: its attempt is lost, and its result is not recorded', async () => {
  const id = await cells.newOrganization();
  const { receiver } = await subscribed(id);
  receiver.answer = 503;
  await placeOrder(cells, id);
  await until(() => receiver.received.length >= 3, { what: 'the attempts' });
  await settled(cells, id);
  const leased = () =>
    cells.inCell(
      'main',
      'webhooks',
      `update pending_deliveries set attempts = attempts + 1, lease_owner = gen_random_uuid(),
         leased_at = now(), lease_until = now() + interval '4 s', due_if_lost_at = now()
       where organization_id = $1 and lease_until is null returning 1`,
      id,
    );
  await until(async () => (await leased()).length > 0, { what: 'a lease' });
  await cells.begin(id);
  await cells.whenPhase(id, 'RETIRING');
  const lost = await cells.inCell<{ error: string }>(
    ...([
      'north',
      'webhooks',
      `select from attempts where organization_id = $1 and error = 'lost'`,
      id,
    ] as const),
  );
  expect(lost.length).toBeGreaterThan(0);
  const open = await cells.inCell(
    ...([
      'main',
      'webhooks',
      'select from pending_deliveries where organization_id = $1 and lease_until is not null',
      id,
    ] as const),
  );
  expect(open).toEqual([]);
}, 90_000);

test('a copy has no entry behind its mark, whose order may be in no copy yet', async () => {
  const id = await cells.newOrganization();
  await placeOrder(cells, id);
  await settled(cells, id);
  const telemetry = () => createTelemetry({ service: 'test', write: () => {} });
  const limits = { poolMax: 2, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000 };
  const open = (url: string) => openDatabase({ url, ...limits, telemetry: telemetry() });
  const from = await open(cells.main.urls.custody);
  const target = await open(cells.north.urls.custody);
  try {
    await target.query('insert into held_organizations values ($1, 1, 3)', [id]);
    const into = holding(target, { organizationId: id, token: '1' }, levels.arriving);
    await copyEntries({ from, into, stored: async () => {} }, id, target, 2);
    expect((await newestNumbers(target, id)).all).toBe(2);
  } finally {
    await Promise.all([from.close(), target.close()]);
  }
});

test('an answer that is erased after a copy is erased in the target by the next copy', async () => {
  const id = await cells.newOrganization();
  const { receiver } = await subscribed(id);
  await placeOrder(cells, id);
  await until(() => receiver.received.length === 3, { what: 'the webhooks' });
  await settled(cells, id);
  const telemetry = () => createTelemetry({ service: 'test', write: () => {} });
  const limits = { poolMax: 2, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000 };
  const open = (url: string) => openDatabase({ url, ...limits, telemetry: telemetry() });
  const from = await open(cells.main.urls.webhooks);
  const target = await open(cells.north.urls.webhooks);
  const answered = (body: string) =>
    from.query('update attempts set response_body = $2 where organization_id = $1', [id, body]);
  const copied = () =>
    target.query('select distinct response_body as body from attempts where organization_id = $1', [
      id,
    ]);
  try {
    await target.query('insert into held_organizations values ($1, 1, 3)', [id]);
    const into = holding(target, { organizationId: id, token: '1' }, levels.arriving);
    const between = { from, into, stored: async () => {} };
    await answered('for Jane Doe');
    await copyWebhooks(between, id, undefined);
    expect(await copied()).toEqual([{ body: 'for Jane Doe' }]);
    const mark = await markWebhooks(from, id);
    await answered('');
    // the deliveries are older than those of the bounds
    const newest = 'ffffffff-ffff-7fff-bfff-ffffffffffff';
    await copyWebhooks(between, id, { ...mark, events: newest, deliveries: newest });
    expect(await copied()).toEqual([{ body: '' }]);
  } finally {
    await Promise.all([from.close(), target.close()]);
  }
});

test('a wrong code after a copy, which leaves updated_at, is in the next copy', async () => {
  const id = await cells.newOrganization();
  const [tried, other] = [await placeOrder(cells, id), await placeOrder(cells, id)];
  await settled(cells, id);
  const telemetry = () => createTelemetry({ service: 'test', write: () => {} });
  const limits = { poolMax: 2, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000 };
  const open = (url: string) => openDatabase({ url, ...limits, telemetry: telemetry() });
  const from = await open(cells.main.urls.orders);
  const target = await open(cells.north.urls.orders);
  try {
    await target.query('insert into held_organizations values ($1, 1, 3)', [id]);
    const into = holding(target, { organizationId: id, token: '1' }, levels.arriving);
    const between = { from, into, stored: async () => {} };
    const since = await markOrders(from, id);
    await copyOrders(between, id, { since: undefined, until: since }, 60_000);
    const codes = JSON.stringify({ pickup: { round: 0, wrong: 5 } });
    await from.query('update orders set handover_codes = $2 where id = $1', [tried, codes]);
    await from.query("update orders set notes = 'n' where organization_id = $1", [id]);
    await copyOrders(between, id, { since, until: await markOrders(from, id) }, 60_000);
    const copied =
      'select handover_codes as codes, notes from orders where id = any($1) order by id';
    // the other order has no code, and is not copied again
    expect(await target.query(copied, [[tried, other]])).toEqual([
      { codes, notes: 'n' },
      { codes: null, notes: null },
    ]);
  } finally {
    await Promise.all([from.close(), target.close()]);
  }
});
