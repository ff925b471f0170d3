import { expect, test } from '@jest/globals';
import { Level } from '@pto/proto/moves/v1/moves';
import { until } from '@pto/testing';
import { deliveriesOf } from '../under-test.ts';
import { verifySignature } from '../verify-signature.ts';
import { anOrganization, eventsOf } from '../webhooks-service.ts';
import { arrive, copy, drain, nextToken, retireAll } from './move.ts';
import { type Cell, twoCells } from './two-cells.ts';

const cells = twoCells({ WEBHOOKS_RETRY_WAITS: '1h,1h,1h,1h,1h' });

const createEndpoint = async (cell: Cell, url: string) => {
  const organizationId = anOrganization();
  const { endpoint, secret } = await cell.webhooks.createEndpoint({ organizationId, url });
  return { organizationId, id: endpoint!.id, secret };
};

/** Moves an organization at once, without a copy before the hold. */
const move = async (from: Cell, to: Cell, organizationId: string) => {
  const moved = { organizationId, token: nextToken() };
  await arrive(from, to, moved);
  const counts = await drain(from, to, moved, '');
  expect(counts.target).toEqual(counts.source);
  return moved;
};

const rows = <Row = { row: object }>(cell: Cell, text: string, organizationId: string) =>
  cell.stores.superuser.query<Row>(text, [organizationId]);

/** All that a move copies, without what the target changes or numbers. */
const allRows = async (cell: Cell, organizationId: string) => {
  const tables: Record<string, unknown> = {};
  for (const table of [
    ...['events', 'deliveries', 'attempts', 'named_replays', 'endpoints', 'endpoint_secrets'],
    ...['endpoint_sequences', 'endpoint_creations', 'warnings', 'deleted_endpoints'],
    ...['quarantined_deliveries', 'pending_deliveries'],
  ])
    tables[table] = await rows(
      cell,
      `select to_jsonb(t) - 'position' as row from ${table} t where organization_id = $1 order by 1`,
      organizationId,
    );
  return tables;
};

test('every row arrives as it was: retries at their place, later due times, and keys', async () => {
  const { a, b } = cells;
  const receiver = await cells.receiver(500);
  const organizationId = anOrganization();
  const request = {
    ...{ organizationId, url: receiver.url },
    ...{ idempotencyKey: 'k', bodySha256: Buffer.alloc(32, 7) },
  };
  const created = await a.webhooks.createEndpoint(request);
  const { id } = created.endpoint!;
  await a.webhooks.rotateSecret({ organizationId, endpointId: id, overlapSeconds: 3600 });
  await a.stores.publish(eventsOf(organizationId, 3));
  await until(() => receiver.received.length === 3, { what: 'the first attempts' });
  const tried = async () =>
    (
      await rows(
        a,
        'select from pending_deliveries where organization_id = $1 and tried',
        organizationId,
      )
    ).length;
  await until(async () => (await tried()) === 3, { what: 'the results' });
  const [first] = await deliveriesOf(a, id, 'PENDING', 3);
  await a.deliveries.replayDelivery({ id: first!.id, commandId: crypto.randomUUID() });
  await until(async () => (await tried()) === 4, { what: 'the result of the replay' });
  await a.stores.superuser.query(
    `insert into quarantined_deliveries (organization_id, delivery_id, endpoint_id, order_id, event_id, event, payload, sequence, reason, next_try_at)
     select $1, gen_random_uuid(), $2, gen_random_uuid(), gen_random_uuid(), 'e', '\\x00ff', 9223372036854775807, n::text, now() + interval '1 h'
     from generate_series(1, 5) n`,
    [organizationId, id],
  );
  await a.stores.superuser.query(
    `insert into warnings (organization_id, id, endpoint_id, level, next_try_at) values ($1, gen_random_uuid(), $2, 50, now() + interval '1 h')`,
    [organizationId, id],
  );
  await a.stores.superuser.query(
    "insert into deleted_endpoints values ($1, gen_random_uuid(), 'hooks.example.org/pto')",
    [organizationId],
  );
  const moved = await move(a, b, organizationId);
  expect(await allRows(b, organizationId)).toEqual(await allRows(a, organizationId));
  const quarantined = await rows(
    b,
    'select reason from quarantined_deliveries where organization_id = $1 order by position',
    organizationId,
  );
  expect(quarantined).toEqual(['1', '2', '3', '4', '5'].map((reason) => ({ reason })));

  const serves = async () => (await b.moves.serves({ organizationId })).serves;
  expect(await serves()).toBe(false);
  await b.moves.release(moved);
  expect(await serves()).toBe(true);
  const replayed = await b.webhooks.createEndpoint(request);
  expect(replayed.replayed).toBe(true);
  expect(Buffer.from(replayed.body)).toEqual(Buffer.from(created.body));
  // due in an hour: a new event is sent, and nothing else
  await b.stores.publish(eventsOf(organizationId, 1));
  await until(() => receiver.received.length === 5, { what: 'the new event' });
  const last = receiver.received.at(-1)!;
  expect(last.sequence).toBe(4);
  expect(await verifySignature(last.signature, last.rawBody, created.secret, last.at / 1000)).toBe(
    true,
  );
  // their second attempts, by the schedule
  await b.stores.superuser.query(
    'update pending_deliveries set due_at = now() where organization_id = $1 and delivery_id = any($2)',
    [organizationId, receiver.received.slice(0, 3).map((one) => one.id)],
  );
  await until(() => receiver.received.length === 8, { what: 'the second attempts' });
  await until(
    async () => (await b.deliveries.getDelivery({ id: first!.id })).delivery!.attempts.length === 2,
    { what: 'the second result' },
  );
});

test('later copies bring what was added, changed and removed', async () => {
  const { a, b } = cells;
  const receiver = await cells.receiver();
  const { organizationId, id } = await createEndpoint(a, receiver.url);
  const gone = await a.webhooks.createEndpoint({ organizationId, url: receiver.url });
  await a.stores.publish(eventsOf(organizationId, 2));
  await until(() => receiver.received.length === 4, { what: 'deliveries' });
  const moved = { organizationId, token: nextToken() };
  await arrive(a, b, moved);
  const mark = await copy(a, b, moved, '');
  await a.webhooks.deleteEndpoint({ organizationId, id: gone.endpoint!.id });
  await a.webhooks.updateEndpoint({
    organizationId,
    id,
    setEventFilter: true,
    eventFilter: { events: ['order.sealed'] },
  });
  await a.webhooks.updateEndpoint({ organizationId, id, setEventFilter: true });
  await a.webhooks.createEndpoint({ organizationId, url: receiver.url });
  await a.stores.publish(eventsOf(organizationId, 1));
  await until(() => receiver.received.length === 6, { what: 'later deliveries' });
  const counts = await drain(a, b, moved, mark);
  expect(counts.target).toEqual(counts.source);
  expect(counts.source).toMatchObject({ endpoints: 2n, deliveries: 6n });
  expect(await allRows(b, organizationId)).toEqual(await allRows(a, organizationId));
  await b.moves.release(moved);
});

test.each(['queued', 'in quarantine'])(
  'a later copy brings the attempt of a delivery that was %s for long',
  async (place) => {
    const { a, b } = cells;
    const receiver = await cells.receiver(500);
    const { organizationId } = await createEndpoint(a, receiver.url);
    await a.stores.publish(eventsOf(organizationId, 1));
    const attempts = (count: number) =>
      until(
        async () =>
          (await rows(a, 'select from attempts where organization_id = $1', organizationId))
            .length === count,
        { what: `attempt ${count}` },
      );
    await attempts(1);
    const early = '00000000-0000-7000-8000-000000000001';
    for (const [table, column] of [
      ['deliveries', 'id'],
      ['pending_deliveries', 'delivery_id'],
      ['attempts', 'delivery_id'],
    ])
      await rows(
        a,
        `update ${table} set ${column} = '${early}' where organization_id = $1`,
        organizationId,
      );
    const { superuser } = a.stores;
    const [queued] = await rows(
      a,
      'select to_jsonb(p) as row from pending_deliveries p where organization_id = $1',
      organizationId,
    );
    if (place === 'in quarantine') {
      await superuser.query(
        `with moved as (delete from pending_deliveries where organization_id = $1 returning *)
       insert into quarantined_deliveries (organization_id, delivery_id, endpoint_id, order_id, event_id, event, payload, sequence, reason, next_try_at)
       select organization_id, delivery_id, endpoint_id, gen_random_uuid(), gen_random_uuid(), 'e', '\\x00', 1, 'r', now() + interval '1 h'
       from moved`,
        [organizationId],
      );
    }
    const moved = { organizationId, token: nextToken() };
    await arrive(a, b, moved);
    const mark = await copy(a, b, moved, '');
    if (place === 'in quarantine') {
      await rows(
        a,
        'delete from quarantined_deliveries where organization_id = $1',
        organizationId,
      );
      await superuser.query(
        `insert into pending_deliveries overriding system value
       select (jsonb_populate_record(null::pending_deliveries, $1)).*`,
        [JSON.stringify(queued!.row)],
      );
    }
    await rows(
      a,
      'update pending_deliveries set due_at = now() where organization_id = $1',
      organizationId,
    );
    await attempts(2);
    const counts = await drain(a, b, moved, mark);
    expect(counts.target).toEqual(counts.source);
    expect(await allRows(b, organizationId)).toEqual(await allRows(a, organizationId));
    await b.moves.release(moved);
  },
);

test('the queue keeps its order over many pages, also when pages arrive twice or a copy begins again', async () => {
  const { a, b } = cells;
  const receiver = await cells.receiver();
  const { organizationId } = await createEndpoint(a, receiver.url);
  const moved = { organizationId, token: nextToken() };
  await a.moves.hold({ ...moved, level: Level.WORK });
  const orderId = crypto.randomUUID();
  for (let from = 1; from <= 2401; from += 800)
    await a.stores.publish(eventsOf(organizationId, 800, { orderId, from }));
  const queued = async () =>
    (await a.moves.count({ organizationId })).rows.pending_deliveries === 3200n;
  await until(queued, { what: 'the queue', deadlineMs: 30_000 });
  await arrive(a, b, moved);
  // the operators service dies between two pages
  let pages = 0;
  const died = new Error('died');
  const dying = copy(a, b, moved, '', async () => {
    if (++pages === 9) throw died;
  });
  await expect(dying).rejects.toBe(died);
  await copy(a, b, moved, '', async (page) => {
    await b.moves.import({ ...moved, rows: page });
  });
  const later = { organizationId, token: nextToken() };
  await expect(
    b.moves.hold({ ...moved, token: moved.token - 1n, level: Level.WORK }),
  ).rejects.toThrow();
  await arrive(a, b, later);
  const counts = await drain(a, b, later, '');
  expect(counts.target).toEqual(counts.source);
  const order = (cell: Cell) =>
    rows(
      cell,
      `select sequence from pending_deliveries p join deliveries d on d.id = p.delivery_id
       where p.organization_id = $1 order by position`,
      organizationId,
    );
  expect(await order(b)).toEqual(await order(a));
  await b.moves.release(later);
  await b.stores.publish(eventsOf(organizationId, 1, { orderId, from: 3201 }));
  await until(() => receiver.received.length >= 20, { what: 'the first of them' });
  const numbers = receiver.received.slice(0, 20).map(({ sequence }) => sequence);
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  const last = async () => (await order(b)).at(-1) as { sequence: string } | undefined;
  await until(async () => (await last())?.sequence === '3201', { what: 'the event of the target' });
}, 120_000);

test('an organization moves back after its copy was retired, and a canceled move leaves nothing', async () => {
  const { a, b } = cells;
  const receiver = await cells.receiver();
  const { organizationId, id } = await createEndpoint(a, receiver.url);
  await a.stores.publish(eventsOf(organizationId, 2));
  await deliveriesOf(a, id, 'DELIVERED', 2);
  const before = await allRows(a, organizationId);
  const none = Object.fromEntries(Object.keys(before).map((table) => [table, []]));

  const canceled = await move(a, b, organizationId);
  await a.moves.release(canceled);
  await retireAll(b, canceled);
  expect(await allRows(b, organizationId)).toEqual(none);
  await a.stores.publish(eventsOf(organizationId, 1));
  await deliveriesOf(a, id, 'DELIVERED', 3);

  const there = await move(a, b, organizationId);
  await b.moves.release(there);
  await retireAll(a, there);
  expect(await allRows(a, organizationId)).toEqual(none);
  await expect(
    a.webhooks.createEndpoint({ organizationId, url: receiver.url }),
  ).rejects.toMatchObject({ kind: 'ORGANIZATION_HELD' });
  await b.stores.publish(eventsOf(organizationId, 1));
  await deliveriesOf(b, id, 'DELIVERED', 4);

  const back = await move(b, a, organizationId);
  await a.moves.release(back);
  await retireAll(b, back);
  await a.stores.publish(eventsOf(organizationId, 1));
  await deliveriesOf(a, id, 'DELIVERED', 5);
  expect(receiver.received.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
});

test('a target with other settings is rejected by their names', async () => {
  const { a, b } = cells;
  const organizationId = anOrganization();
  const { probe, schema } = await a.moves.mark({ organizationId });
  expect(schema).toBe((await b.moves.mark({ organizationId })).schema);
  expect(schema).toMatch(/^\d{14}_/);
  const fields = JSON.parse(Buffer.from(probe).toString());
  for (const [change, setting] of [
    [{ publicBaseUrl: 'https://other.example/api/partner/v1' }, 'PUBLIC_BASE_URL'],
    [{ environment: 'production' }, 'ENVIRONMENT'],
    [{ keyId: 'k2' }, 'WEBHOOKS_SECRET_KEYS'],
    [{ sealed: Buffer.alloc(60).toString('base64') }, 'WEBHOOKS_SECRET_KEYS'],
  ] as const) {
    const other = Buffer.from(JSON.stringify({ ...fields, ...change }));
    const held = b.moves.hold({
      ...{ organizationId, token: nextToken() },
      ...{ level: Level.ARRIVING, probe: other },
    });
    await expect(held).rejects.toMatchObject({
      kind: 'VALIDATION',
      message: expect.stringContaining(setting),
    });
  }
});
