import { createHash } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { Client } from 'pg';
import { type OrdersUnderTest, startOrdersService } from '../orders-service.ts';
import { anOrderThat } from './an-order-in-transit.ts';

let under: OrdersUnderTest;
let owner: Client;
beforeAll(async () => {
  under = await startOrdersService();
  owner = new Client(under.database.ownerUrl);
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await under.stop();
});

const csv = (...values: number[]) =>
  Buffer.from(
    ['time,value', ...values.map((v, n) => `2026-01-15T08:0${n}:00Z,${v}`), ''].join('\n'),
  );

const readings = (content: Uint8Array, more: object = {}) => ({
  content,
  mediaType: 'text/csv',
  deviceId: 'LOG-7',
  unit: 'celsius',
  ...more,
});

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

const limits = { temperatureMin: 2, temperatureMax: 8 };

const eventsOf = async (orderId: string) => {
  const { rows } = await owner.query<{ value: Buffer }>(
    'select value from outbox where key = $1 order by id',
    [orderId],
  );
  return rows
    .map(({ value }) => fromBinary(OrderEventSchema, value))
    .sort((a, b) => a.sequence - b.sequence)
    .map(({ type, internalType, payloadJson }) => ({
      type,
      internalType,
      payload: JSON.parse(payloadJson || 'null'),
    }));
};

const bodyOf = ({ body }: { body: Uint8Array }) => JSON.parse(Buffer.from(body).toString());

test("a partner's readings become an entry with their summary, and can be read again", async () => {
  const { orderId, organizationId } = await anOrderThat(under, 'IN_TRANSIT', limits);
  const content = csv(4, 5, 6);
  const response = await under.orders.recordCondition({
    organizationId,
    orderId,
    readings: readings(content),
  });
  const sha256 = createHash('sha256').update(content).digest('hex');
  const recorded = bodyOf(response);
  expect(recorded).toMatchObject({
    order_id: orderId,
    sequence: 8,
    payload: {
      v: 'condition/1',
      device_id: 'LOG-7',
      count: 3,
      minimum: 4,
      maximum: 6,
      mean: 5,
      limit_min: 2,
      limit_max: 8,
      excursion_count: 0,
      readings: { sha256, media_type: 'text/csv', size: content.length },
      recorded_by: 'partner',
    },
  });
  const [entry] = (await eventsOf(orderId)).slice(-1);
  expect(entry).toEqual({
    type: 'order.updated',
    internalType: 'CONDITION_RECORDED',
    payload: recorded.payload,
  });
  const artifact = await under.orders.getArtifact({ organizationId, orderId, sha256 });
  expect(Buffer.from(artifact.content)).toEqual(content);
});

test('readings outside of the limits become an incident of their own type', async () => {
  const { orderId, circumstances } = await anOrderThat(under, 'IN_TRANSIT', limits);
  const response = await under.commands.recordCondition({
    circumstances,
    readings: readings(csv(4, 9.5, 8, 1), { minimum: 1, maximum: 9.5, mean: 5.63, count: 4 }),
  });
  expect(JSON.parse(response.payloadJson)).toMatchObject({ recorded_by: 'operator' });
  expect((await eventsOf(orderId)).slice(-2)).toMatchObject([
    { internalType: 'CONDITION_RECORDED', payload: { excursion_count: 2 } },
    {
      type: 'order.incident_reported',
      internalType: 'TEMPERATURE_EXCURSION',
      payload: { excursion_count: 2, minimum: 1, maximum: 9.5, limit_min: 2, limit_max: 8 },
    },
  ]);
});

test('without limits of the order nothing is an excursion', async () => {
  const { orderId, circumstances } = await anOrderThat(under, 'IN_TRANSIT');
  await under.commands.recordCondition({ circumstances, readings: readings(csv(-80, 400)) });
  expect((await eventsOf(orderId)).at(-1)).toMatchObject({ internalType: 'CONDITION_RECORDED' });
});

test('the limits of an order come back as numbers', async () => {
  const { orderId, organizationId } = await anOrderThat(under, 'SUBMITTED', {
    temperatureMin: -80.25,
    temperatureMax: 8,
    requiredEvidenceJson: '{"pickup":["photo"]}',
  });
  expect(bodyOf(await under.orders.getOrder({ organizationId, id: orderId }))).toMatchObject({
    temperature_min: -80.25,
    temperature_max: 8,
    required_evidence: { pickup: ['photo'] },
  });
});

test('twenty requests with one key record the readings once, for each order', async () => {
  const first = await anOrderThat(under, 'IN_TRANSIT');
  const content = csv(4);
  const keyed = (orderId: string, sha = 1) => ({
    organizationId: first.organizationId,
    orderId,
    readings: readings(content),
    idempotency: {
      key: 'k',
      route: `POST /orders/${orderId}/conditions`,
      bodySha256: Buffer.alloc(32, sha),
    },
  });
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => under.orders.recordCondition(keyed(first.orderId))),
  );
  expect(new Set(responses.map(({ body }) => Buffer.from(body).toString())).size).toBe(1);
  expect(responses.filter(({ replayed }) => !replayed)).toHaveLength(1);
  const entries = (await eventsOf(first.orderId)).filter(
    ({ internalType }) => internalType === 'CONDITION_RECORDED',
  );
  expect(entries).toHaveLength(1);
  await expect(under.orders.recordCondition(keyed(first.orderId, 2))).rejects.toMatchObject({
    kind: 'IDEMPOTENCY_KEY_REUSED',
  });
});

test.each<[string, object, string]>([
  ['NaN', readings(Buffer.from('time,value\n2026-01-15T08:00:00Z,NaN\n')), 'line 2'],
  ['a formula', readings(Buffer.from('time,value\n2026-01-15T08:00:00Z,=1+1\n')), 'line 2'],
  [
    'reversed times',
    readings(Buffer.from('time,value\n2026-01-15T08:01:00Z,4\n2026-01-15T08:00:00Z,4\n')),
    'line 3',
  ],
  [
    'a time in the future',
    readings(Buffer.from(`time,value\n${inMinutes(6)},4\n`)),
    'is in the future; check the logger',
  ],
  ['a summary that they do not give', readings(csv(4, 5), { maximum: 6 }), 'the readings give 5'],
  ['an unknown unit', readings(csv(4), { unit: 'rankine' }), 'expected one of celsius'],
  [
    'an unknown media type',
    readings(csv(4), { mediaType: 'text/html' }),
    'expected one of text/csv',
  ],
  ['a logger without a name', readings(csv(4), { deviceId: '' }), 'expected 1 to 128'],
  ['5 MiB + 1', readings(Buffer.alloc(5 * 1024 * 1024 + 1, 32)), 'at most 5242880 bytes'],
])('readings with %s are rejected, and nothing is stored', async (_, wrong, says) => {
  const { circumstances, orderId } = await anOrderThat(under, 'IN_TRANSIT');
  await expect(
    under.commands.recordCondition({ circumstances, readings: wrong }),
  ).rejects.toMatchObject({
    kind: 'VALIDATION',
    details: { detail: [{ msg: expect.stringContaining(says) }] },
  });
  expect(await under.storedFiles(orderId)).toEqual([]);
});

test('readings of a logger whose clock is four minutes ahead are recorded', async () => {
  const { circumstances } = await anOrderThat(under, 'IN_TRANSIT');
  const content = Buffer.from(`time,value\n${inMinutes(4)},4\n`);
  const response = await under.commands.recordCondition({
    circumstances,
    readings: readings(content),
  });
  expect(JSON.parse(response.payloadJson)).toMatchObject({ count: 1 });
});

test('readings of 5 MiB are recorded, by the operator and by the partner', async () => {
  const order = await anOrderThat(under, 'IN_TRANSIT');
  const { circumstances, orderId, organizationId } = order;
  const head = 'time,value,remark\n';
  const row = (n: number) => `${new Date(n * 1000).toISOString()},4.5,${'x'.repeat(70)}\n`;
  const rows = Array.from({ length: 55_000 }, (_, n) => row(n)).join('');
  const text = (head + rows).slice(0, 5 * 1024 * 1024);
  const content = Buffer.from(text.slice(0, text.lastIndexOf('\n') + 1));
  expect(content.length).toBeGreaterThan(5 * 1024 * 1024 - 200);
  await under.commands.recordCondition({ circumstances, readings: readings(content) });
  const more = Buffer.concat([content.subarray(0, -2), Buffer.from('z\n')]);
  const request = { organizationId, orderId, readings: readings(more) };
  const recorded = bodyOf(await under.orders.recordCondition(request));
  const { sha256 } = recorded.payload.readings;
  const artifact = await under.orders.getArtifact({ organizationId, orderId, sha256 });
  expect(Buffer.from(artifact.content).equals(more)).toBe(true);
});

test('a closed order, and an order of another organization, take no readings', async () => {
  const { circumstances, orderId, organizationId } = await anOrderThat(under, 'IN_TRANSIT');
  const other = await anOrderThat(under, 'SUBMITTED');
  await expect(
    under.orders.recordCondition({
      organizationId: other.organizationId,
      orderId,
      readings: readings(csv(4)),
    }),
  ).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  await under.commands.deliverOrder({ circumstances });
  await under.commands.closeOrder({ circumstances });
  await expect(
    under.orders.recordCondition({ organizationId, orderId, readings: readings(csv(4)) }),
  ).rejects.toMatchObject({ kind: 'ILLEGAL_TRANSITION' });
  expect(await under.storedFiles(orderId)).toEqual([]);
});

test('the same readings are recorded once, also by concurrent requests without a key', async () => {
  const { orderId, organizationId } = await anOrderThat(under, 'IN_TRANSIT');
  const request = { organizationId, orderId, readings: readings(csv(4, 5)) };
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => under.orders.recordCondition(request)),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: {
      kind: 'VALIDATION',
      details: { detail: [{ msg: expect.stringContaining('entry 8 has these readings') }] },
    },
  });
  const { content } = await under.orders.getArtifact({
    organizationId,
    orderId,
    sha256: createHash('sha256').update(csv(4, 5)).digest('hex'),
  });
  expect(Buffer.from(content)).toEqual(csv(4, 5));
});

test('an order has at most 100 files of readings', async () => {
  const { orderId, organizationId, circumstances } = await anOrderThat(under, 'IN_TRANSIT');
  await owner.query(
    `insert into artifacts
       (organization_id, order_id, sha256, media_type, sequence, personal, expires_at)
     select $2, $1, encode(sha256(n::text::bytea), 'hex'), 'text/csv', 1, false, now() + interval '1 day'
     from generate_series(1, 99) n`,
    [orderId, organizationId],
  );
  await under.orders.recordCondition({ organizationId, orderId, readings: readings(csv(4)) });
  await expect(
    under.commands.recordCondition({ circumstances, readings: readings(csv(5)) }),
  ).rejects.toMatchObject({ kind: 'VALIDATION' });
});
