import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { readingsCsv, until } from '@pto/testing';
import { Client } from 'pg';
import { asOwner, type OrdersUnderTest, startOrdersService } from '../orders-service.ts';
import { aHandover, anOrderThat } from './an-order-in-transit.ts';

let one: OrdersUnderTest;
let two: OrdersUnderTest;
let owner: Client;
beforeAll(async () => {
  one = await startOrdersService();
  two = await startOrdersService({ database: one.database, bus: one.bus });
  owner = new Client(one.database.ownerUrl);
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await Promise.all([one.stop(), two.stop()]);
});

const named = (orderId: string, commandId: string = randomUUID()) => ({
  circumstances: { orderId, commandId },
});
const entriesOf = async ({
  organizationId,
  orderId,
}: {
  organizationId: string;
  orderId: string;
}): Promise<number> => (await one.orders.getSequence({ organizationId, id: orderId })).sequence;
const storedIds = async (orderId: string): Promise<string[]> => {
  const { rows } = await owner.query('select id from done_commands where order_id = $1', [orderId]);
  return rows.map(({ id }) => id);
};
/** Number of transactions that wait for a row of this database. */
const waiting = async (): Promise<number> => {
  const { rows } = await owner.query(
    `select count(distinct pid)::int as n from pg_locks
     where not granted
       and pid in (select pid from pg_stat_activity where datname = current_database())`,
  );
  return rows[0].n;
};

const scan = aHandover({ methods: ['scan'], scannedSealIds: ['S-2', 'S-9'] });
const logger = { mediaType: 'text/csv', deviceId: 'LOG-7', unit: 'celsius' };
let content: Buffer;
beforeEach(() => {
  content = Buffer.from(readingsCsv(40));
});

test.each<
  [string, (on: OrdersUnderTest, request: ReturnType<typeof named>) => Promise<object>, number]
>([
  ['an incident', ({ commands }, r) => commands.reportIncident({ ...r, note: 'Flat tyre' }), 1],
  ['an escalation', ({ commands }, r) => commands.escalateOrder({ ...r, note: 'Late' }), 1],
  ['a step', ({ commands }, r) => commands.startTransport(r), 1],
  ['an update', ({ commands }, r) => commands.updateOrder({ ...r, priceTotal: '1.50' }), 1],
  [
    'a handover with an incident',
    ({ commands }, r) => commands.recordHandover({ ...r, ...scan }),
    2,
  ],
  [
    'readings with an excursion',
    ({ commands }, r) => commands.recordCondition({ ...r, readings: { ...logger, content } }),
    2,
  ],
])(
  'of ten concurrent repetitions of %s, on two replicas, one takes effect',
  async (_, send, entries) => {
    const order = await anOrderThat(one, 'SEALED', { temperatureMax: 8 });
    const before = await entriesOf(order);
    const request = named(order.orderId);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => send(n % 2 ? one : two, request)),
    );
    expect(await entriesOf(order)).toBe(before + entries);
    // a later one, too, and every answer says what the first one did
    answers.push(await send(two, request));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await entriesOf(order)).toBe(before + entries);
  },
);

test('a command whose response was lost is done once, and its repetition says so', async () => {
  const order = await anOrderThat(one, 'SEALED');
  const before = await entriesOf(order);
  const request = { ...named(order.orderId), ...scan };
  await asOwner(one.database, async (lock) => {
    await lock.query('begin');
    await lock.query('select 1 from orders where id = $1 for update', [order.orderId]);
    // the command has begun, and the sender gets no response
    const lost = expect(
      one.commands.recordHandover(request, { timeoutMs: 700 }),
    ).rejects.toMatchObject({ kind: 'DEADLINE_EXCEEDED' });
    await until(async () => (await waiting()) === 1, { what: 'the command to wait' });
    await lost;
    // the repetition arrives before the first has ended
    const repeated = two.commands.recordHandover(request);
    await until(async () => (await waiting()) === 2, { what: 'the repetition to wait' });
    await lock.query('commit');
    expect(await repeated).toMatchObject({ missingSealIds: ['S-1'], unexpectedSealIds: ['S-9'] });
  });
  expect(await entriesOf(order)).toBe(before + 2);
});

test('a repetition is answered although the order has moved on', async () => {
  const order = await anOrderThat(one, 'SEALED');
  const handover = { ...named(order.orderId), ...aHandover() };
  await one.commands.recordHandover(handover);
  await one.commands.startTransport(named(order.orderId));
  // a handover at the pickup is not possible now
  const answer = await two.commands.recordHandover(handover);
  expect(answer.order).toMatchObject({ status: 'IN_TRANSIT', sequence: await entriesOf(order) });
});

test('an id of another command of the organization is rejected, and nothing changes', async () => {
  const order = await anOrderThat(one, 'SEALED');
  const { organizationId } = order;
  const other = await anOrderThat(one, 'SEALED', { organizationId });
  const { circumstances } = named(order.orderId);
  await one.commands.reportIncident({ circumstances, note: 'Flat tyre' });
  const before = await entriesOf(order);
  const elsewhere = { ...circumstances, orderId: other.orderId };
  for (const attempt of [
    () => two.commands.reportIncident({ circumstances, note: 'Flat tire' }),
    () => two.commands.escalateOrder({ circumstances, note: 'Flat tyre' }),
    () => two.commands.recordHandover({ circumstances, ...aHandover() }),
    () => two.commands.reportIncident({ circumstances: elsewhere, note: 'Flat tyre' }),
    () => two.commands.startTransport({ circumstances }),
  ])
    await expect(attempt()).rejects.toMatchObject({ kind: 'IDEMPOTENCY_KEY_REUSED' });
  expect(await entriesOf(order)).toBe(before);
  expect(await entriesOf(other)).toBe(before - 1);
});

test('a rejected command leaves its id unused', async () => {
  const order = await anOrderThat(one, 'PICKUP_STARTED');
  const request = named(order.orderId);
  await expect(one.commands.startTransport(request)).rejects.toMatchObject({
    kind: 'ILLEGAL_TRANSITION',
  });
  expect(await storedIds(order.orderId)).toEqual([]);
  await one.commands.sealOrder({ ...named(order.orderId), sealIds: ['S-1', 'S-2'] });
  expect((await one.commands.startTransport(request)).order?.status).toBe('IN_TRANSIT');
});

test('an id that is no UUID is rejected', async () => {
  const { orderId } = await anOrderThat(one, 'SUBMITTED');
  await expect(
    one.commands.reportIncident({ ...named(orderId, 'twice'), note: 'n' }),
  ).rejects.toMatchObject({ kind: 'VALIDATION' });
});

test('an erasure removes the ids of the commands before it, and can itself be repeated', async () => {
  const order = await anOrderThat(one, 'IN_TRANSIT');
  const { orderId } = order;
  await one.commands.reportIncident({ ...named(orderId), note: 'Canary' });
  await one.commands.deliverOrder(named(orderId));
  await one.commands.closeOrder(named(orderId));
  const erasure = { ...named(orderId), fields: [], reason: 'requested' };
  const first = await one.commands.erasePersonalData(erasure);
  expect(first.erased.length).toBeGreaterThan(0);
  expect(await two.commands.erasePersonalData(erasure)).toEqual(first);
  expect(await storedIds(orderId)).toEqual([erasure.circumstances.commandId]);
});

test('ids are removed when their time is over', async () => {
  const environment = { ORDERS_IDEMPOTENCY_KEEP: '1s' };
  const { orderId } = await anOrderThat(one, 'SEALED');
  await one.commands.reportIncident({ ...named(orderId), note: 'n' });
  expect(await storedIds(orderId)).toHaveLength(1);
  await until(
    async () => {
      const third = await startOrdersService({ database: one.database, bus: one.bus, environment });
      await third.stop();
      return (await storedIds(orderId)).length === 0;
    },
    { what: 'the id to be removed' },
  );
});
