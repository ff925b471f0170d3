import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Level } from '@pto/proto/moves/v1/moves';
import { readingsCsv, until } from '@pto/testing';
import { anOrderThat } from '../changes/an-order-in-transit.ts';
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
import { copy, holdArriving, holdWrites, reportAll, rowsOf, startTwoCells } from './two-cells.ts';

let cells: Awaited<ReturnType<typeof startTwoCells>>;
let source: OrdersUnderTest;
let target: OrdersUnderTest;
beforeAll(async () => {
  cells = await startTwoCells();
  ({ source, target } = cells);
});
afterAll(async () => {
  await stopLoads();
  await cells.stop();
});

/** Moves an organization; nothing has been copied yet. */
const move = async (
  { from, to }: { from: OrdersUnderTest; to: OrdersUnderTest },
  organizationId: string,
  token: bigint,
): Promise<void> => {
  const pair = { source: from, target: to };
  await holdArriving(pair, organizationId, token);
  const { mark } = await copy(pair, organizationId, token, '');
  await holdWrites(from, organizationId, token);
  await copy(pair, organizationId, token, mark);
  const { rows } = await from.moves.count({ organizationId });
  expect((await to.moves.count({ organizationId })).rows).toEqual(rows);
  const serves = async () => (await to.moves.serves({ organizationId })).serves;
  expect(await serves()).toBe(false);
  await to.moves.release({ organizationId, token });
  expect(await serves()).toBe(true);
};

const retireAll = async (
  under: OrdersUnderTest,
  organizationId: string,
  token: bigint,
): Promise<void> => {
  while ((await under.moves.retire({ organizationId, token })).more);
};

/** A text that any re-spelling of JSON, SQL or UTF-8 would change. */
const odd = `it's "quoted" \\ \u{1F691} \u00e9 e\u0301 %s $1 {} <&>`;

/** Sets the clock of the source ahead. */
const setClock = (ahead: string): Promise<void> =>
  asOwner(source.database, (owner) =>
    owner.query(
      `create or replace function order_clock() returns timestamptz language sql volatile
       as $$select clock_timestamp() + interval '${ahead}'$$`,
    ),
  );

test('copies under load reach equality row by row', async () => {
  const organizationId = randomUUID();
  const load = startLoad(source, organizationId);
  const { orderId, circumstances } = await anOrderThat(source, 'SEALED', {
    organizationId,
    notes: odd,
    temperatureMin: 2,
    temperatureMax: 8.5,
  });
  await source.commands.reportIncident({ circumstances, note: odd });
  await asOwner(source.database, (owner) =>
    owner.query(
      `update orders set items = '[{"goods_type":"a",  "n":1.000000000000000000001,"n":2}]'::json
       where id = '${orderId}'`,
    ),
  );
  await until(() => load.created.size >= 30, { what: 'orders before the first copy' });
  await holdArriving(cells, organizationId, 1n);
  let { mark } = await copy(cells, organizationId, 1n, '');
  for (let n = 0; n < 3; n++) ({ mark } = await copy(cells, organizationId, 1n, mark));
  await holdWrites(source, organizationId, 1n);
  await load.stop();
  const last = await copy(cells, organizationId, 1n, mark);
  expect(last.rows).toBeGreaterThan(0);
  const sent = await rowsOf(source, organizationId);
  const received = await rowsOf(target, organizationId);
  expect(received.poll_moments).toHaveLength(1);
  expect({ ...received, poll_moments: [] }).toEqual({ ...sent, poll_moments: [] });
  const counted = await source.moves.count({ organizationId });
  expect(counted.rows.orders).toBe(BigInt(sent.orders.length));
  expect(await target.moves.count({ organizationId })).toEqual(counted);
}, 120_000);

test('a key replays byte for byte, a cursor and a poll continue, and a file is read in the target', async () => {
  const organizationId = randomUUID();
  const request = anOrder({ organizationId, ...keyed('K') });
  const first = await source.orders.createOrder(request);
  const location = {
    ...{ organizationId, label: 'L', ...charite, street: 'Weg 7', idempotencyKey: 'L' },
    bodySha256: Buffer.alloc(32, 3),
  };
  const saved = await source.locations.createLocation(location);
  const { orderId, circumstances } = await anOrderThat(source, 'SEALED', { organizationId });
  const commandId = randomUUID();
  await source.commands.startTransport({ circumstances: { ...circumstances, commandId } });
  const readings = {
    content: Buffer.from(readingsCsv(4)),
    ...{ mediaType: 'text/csv', deviceId: 'LOG-7', unit: 'celsius' },
  };
  await source.orders.recordCondition({ organizationId, orderId, readings });
  for (let n = 0; n < 4; n++) await source.orders.createOrder(anOrder({ organizationId }));
  const page = await source.orders.listOrders({ organizationId, limit: 2 });
  const rest = { organizationId, limit: 100, cursor: page.nextCursor! };
  const expected = await source.orders.listOrders(rest);
  await setClock('1 h');
  const updatedSince = '2026-01-01T00:00:00.000Z';
  const poll = await source.orders.listOrders({ organizationId, limit: 100, updatedSince });
  await setClock('0 h');
  await move({ from: source, to: target }, organizationId, 1n);
  const replay = await target.orders.createOrder(request);
  expect([replay.replayed, Buffer.from(replay.body)]).toEqual([true, Buffer.from(first.body)]);
  await expect(target.orders.createOrder({ ...request, ...keyed('K', 2) })).rejects.toMatchObject({
    kind: 'IDEMPOTENCY_KEY_REUSED',
  });
  const sameLocation = await target.locations.createLocation(location);
  expect(Buffer.from(sameLocation.body)).toEqual(Buffer.from(saved.body));
  await target.commands.startTransport({ circumstances: { ...circumstances, commandId } });
  expect((await target.orders.getSequence({ organizationId, id: orderId })).sequence).toBe(8);
  const continued = await target.orders.listOrders(rest);
  expect(continued.bodies.map((body) => Buffer.from(body).toString())).toEqual(
    expected.bodies.map((body) => Buffer.from(body).toString()),
  );
  const { artifacts } = await rowsOf(target, organizationId);
  const sha256 = /[0-9a-f]{64}/.exec(artifacts[0]!)![0];
  const file = await target.orders.getArtifact({ organizationId, orderId, sha256 });
  expect(Buffer.from(file.content)).toEqual(readings.content);
  const later = bodyOf(await target.orders.createOrder(anOrder({ organizationId })));
  expect(later.updated_at >= poll.asOf!).toBe(true);
}, 60_000);

test('a file of an order that was created after the copy began comes with its order', async () => {
  const organizationId = randomUUID();
  await holdArriving(cells, organizationId, 1n);
  const content = Buffer.from(readingsCsv(4));
  const first = await copy(cells, organizationId, 1n, '', async () => {
    const { orderId } = await anOrderThat(source, 'SUBMITTED', { organizationId });
    const readings = { content, mediaType: 'text/csv', deviceId: 'LOG-7', unit: 'celsius' };
    await source.orders.recordCondition({ organizationId, orderId, readings });
  });
  const early = await rowsOf(target, organizationId);
  expect([early.orders.length, early.artifacts.length]).toEqual([0, 0]);
  await holdWrites(source, organizationId, 1n);
  await copy(cells, organizationId, 1n, first.mark);
  const { artifacts } = await rowsOf(target, organizationId);
  expect(artifacts).toHaveLength(1);
  expect(artifacts).toEqual((await rowsOf(source, organizationId)).artifacts);
});

test('what is erased between two copies does not come back', async () => {
  const { organizationId, orderId, circumstances } = await anOrderThat(source, 'IN_TRANSIT');
  await source.commands.deliverOrder({ circumstances });
  await source.commands.closeOrder({ circumstances: { orderId, commandId: randomUUID() } });
  await reportAll(source, organizationId);
  await holdArriving(cells, organizationId, 1n);
  const { mark } = await copy(cells, organizationId, 1n, '');
  const before = await rowsOf(target, organizationId);
  expect([before.disclosures.length, before.done_commands.length]).toEqual([1, 1]);
  await source.commands.erasePersonalData({ circumstances, fields: [], reason: 'r' });
  await holdWrites(source, organizationId, 1n);
  await copy(cells, organizationId, 1n, mark);
  const after = await rowsOf(target, organizationId);
  expect([after.disclosures.length, after.done_commands.length]).toEqual([0, 0]);
  expect(after.orders).toEqual((await rowsOf(source, organizationId)).orders);
});

test('a head that custody reports between two copies is copied', async () => {
  const { organizationId } = await anOrderThat(source, 'SUBMITTED');
  await holdArriving(cells, organizationId, 1n);
  const first = await copy(cells, organizationId, 1n, '');
  await reportAll(source, organizationId);
  await copy(cells, organizationId, 1n, first.mark);
  const { orders } = await rowsOf(target, organizationId);
  expect(orders).toEqual((await rowsOf(source, organizationId)).orders);
  expect(orders[0]).toContain('a'.repeat(64));
});

test('heads are no evidence while they arrive, and stay evidence in the source after a move', async () => {
  const { organizationId, orderId } = await anOrderThat(source, 'SUBMITTED');
  const draft = bodyOf(
    await source.orders.createOrder(anOrder({ organizationId, autoDispatch: false })),
  );
  const headIn = async ({ evidence }: OrdersUnderTest) => {
    const { heads } = await evidence.listHeads({ orderIds: [orderId, draft.id] });
    return heads.map(({ custodySequence, sequence, digests }) => [
      ...[custodySequence, sequence, digests.length],
    ]);
  };
  await holdArriving(cells, organizationId, 1n);
  await reportAll(source, organizationId);
  const { mark } = await copy(cells, organizationId, 1n, '');
  expect([await headIn(source), await headIn(target)]).toEqual([[[1, 1, 1]], [[0, 1, 1]]]);
  await holdWrites(source, organizationId, 1n);
  await copy(cells, organizationId, 1n, mark);
  await target.moves.release({ organizationId, token: 1n });
  expect([await headIn(source), await headIn(target)]).toEqual([[[1, 1, 1]], [[1, 1, 1]]]);
  const evidence = await source.evidence.listHeads({ orderIds: [orderId] });
  await retireAll(source, organizationId, 1n);
  expect(await source.evidence.listHeads({ orderIds: [orderId] })).toEqual(evidence);
  const listed = await source.evidence.listHeads({ pageSize: 1000 });
  expect(listed.heads.filter((head) => head.orderId === orderId)).toEqual(evidence.heads);
  const left = Object.entries(await rowsOf(source, organizationId));
  expect(left.flatMap(([table, rows]) => (rows.length > 0 ? [table] : []))).toEqual([
    ...['produced_events', 'moved_orders'],
  ]);
  await expect(source.commands.showOrder({ orderId })).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  await source.violations.recordViolations({
    found: [{ orderId, entryId: 'e', reason: 'the entry was changed' }],
  });
  const { violations } = await source.violations.listViolations({ orderId });
  expect(violations.map(({ reason }) => reason)).toEqual(['the entry was changed']);
  await expect(source.moves.mark({ organizationId })).rejects.toMatchObject(isLater);
  await source.violations.acknowledgeViolations({ orderId, reason: 'r' });
}, 30_000);

test('an organization moves back, also after a move that was canceled, and others are untouched', async () => {
  const { organizationId, orderId, circumstances } = await anOrderThat(source, 'SEALED');
  const bystander = await anOrderThat(target, 'SEALED');
  const others = await rowsOf(target, bystander.organizationId);
  await move({ from: source, to: target }, organizationId, 1n);
  await expect(source.orders.createOrder(anOrder({ organizationId }))).rejects.toMatchObject(
    isHeld,
  );
  await retireAll(source, organizationId, 1n);
  await target.commands.startTransport({ circumstances });
  const back = { source: target, target: source };
  await holdArriving(back, organizationId, 2n);
  await copy(back, organizationId, 2n, '');
  await expect(copy(back, organizationId, 1n, '')).rejects.toMatchObject(isLater);
  const before = await rowsOf(target, organizationId);
  await target.moves.release({ organizationId, token: 2n });
  await retireAll(source, organizationId, 2n);
  expect(await rowsOf(target, organizationId)).toEqual(before);
  await move({ from: target, to: source }, organizationId, 3n);
  await retireAll(target, organizationId, 3n);
  await source.commands.deliverOrder({ circumstances });
  expect((await source.orders.getSequence({ organizationId, id: orderId })).sequence).toBe(8);
  expect(await rowsOf(target, bystander.organizationId)).toEqual(others);
}, 60_000);

test('the heads of a move that was canceled are no evidence, those of an earlier stay are', async () => {
  const { organizationId, orderId } = await anOrderThat(source, 'SUBMITTED');
  const headIn = async ({ evidence }: OrdersUnderTest) => {
    const [head] = (await evidence.listHeads({ orderIds: [orderId] })).heads;
    return [head!.custodySequence, head!.custodyHeadHash, head!.sequence];
  };
  const [none, reported] = [
    [0, '', 1],
    [1, 'a'.repeat(64), 1],
  ];
  await reportAll(source, organizationId);
  /** Cancels a move after its first copy, as `putBack` does: each try has a token of its own. */
  const cancel = async (
    pair: { source: OrdersUnderTest; target: OrdersUnderTest },
    token: bigint,
  ) => {
    await holdArriving(pair, organizationId, token);
    await copy(pair, organizationId, token, '');
    const later = { organizationId, token: token + 1n };
    await pair.target.moves.hold({ ...later, level: Level.WRITES });
    expect((await headIn(pair.target)).slice(0, 2)).toEqual([0, '']);
    await retireAll(pair.target, organizationId, token + 1n);
  };
  await cancel(cells, 1n);
  expect(await headIn(target)).toEqual(none);
  await move({ from: source, to: target }, organizationId, 3n);
  expect(await headIn(target)).toEqual(reported);
  await retireAll(source, organizationId, 3n);
  expect(await headIn(source)).toEqual(reported);
  const assign = { circumstances: { orderId }, transportOrganization: 'Blutkurier' };
  await target.commands.assignOrder(assign);
  await cancel({ source: target, target: source }, 4n);
  const progressed = [1, 'a'.repeat(64), 2];
  expect([await headIn(source), await headIn(target)]).toEqual([progressed, progressed]);
}, 60_000);

test('a target with another key or another store is rejected by the name of the setting', async () => {
  const organizationId = randomUUID();
  const arrive = (under: OrdersUnderTest, probe: Uint8Array) =>
    under.moves.hold({ organizationId, token: 1n, level: Level.ARRIVING, probe });
  const probeOf = async (under: OrdersUnderTest, probeId: string) =>
    (await under.moves.mark({ organizationId, probeId })).probe;
  await arrive(target, await probeOf(source, randomUUID()));
  const key = Buffer.alloc(32, 1).toString('base64');
  for (const [setting, environment] of [
    ['ORDERS_CURSOR_KEY', { ORDERS_CURSOR_KEY: key }],
    ['ARTIFACTS_KEYS', { ARTIFACTS_KEYS: `test:${key}` }],
    ['ARTIFACTS_DIR', {}],
  ] as const) {
    const other = await startOrdersService({ environment });
    try {
      // an earlier move has left an object in the store of the target
      await probeOf(other, randomUUID());
      await other.moves.mark({ organizationId });
      await expect(arrive(other, await probeOf(source, randomUUID()))).rejects.toMatchObject({
        kind: 'VALIDATION',
        message: expect.stringContaining(setting),
      });
    } finally {
      await other.stop();
    }
  }
}, 60_000);

test('the object of a probe is stored for a named probe alone, and erased with its move', async () => {
  const organizationId = randomUUID();
  const files = () => source.storedFiles(organizationId);
  expect((await source.moves.mark({ organizationId })).probe).toHaveLength(0);
  expect(await files()).toEqual([]);
  for (const [token, end] of [
    [1n, source.moves.release],
    [2n, source.moves.retire],
  ] as const) {
    const probeId = randomUUID();
    await source.moves.mark({ organizationId, probeId });
    expect(await files()).toHaveLength(1);
    await source.moves.hold({ organizationId, token, level: Level.WRITES });
    await end({ organizationId, token });
    expect(await files()).toHaveLength(1);
    await end({ organizationId, token, probeId });
    expect(await files()).toEqual([]);
  }
});
