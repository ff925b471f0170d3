import { createHash } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { readingsCsv } from '@pto/testing';
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

const csv = (...values: number[]) => Buffer.from(readingsCsv(...values));

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

test('readings of now are taken by a replica whose clock is hours behind', async () => {
  const { circumstances } = await anOrderThat(under, 'IN_TRANSIT', limits);
  const content = csv(4);
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 7_200_000);
  try {
    const recorded = under.commands.recordCondition({ circumstances, readings: readings(content) });
    await expect(recorded).resolves.toMatchObject({ order: { status: 'IN_TRANSIT' } });
  } finally {
    clock.mockRestore();
  }
});

test.each([
  ['1970', '1970-01-01T00:00:00Z'],
  ['the day before', new Date(Date.now() - 86_400_000).toISOString()],
])('readings of %s are rejected, because the order was created later', async (_, time) => {
  const { circumstances, orderId } = await anOrderThat(under, 'IN_TRANSIT', limits);
  const content = Buffer.from(`time,value\n${time},40\n`);
  await expect(
    under.commands.recordCondition({ circumstances, readings: readings(content) }),
  ).rejects.toMatchObject({
    kind: 'VALIDATION',
    details: {
      detail: [{ loc: ['readings'], msg: expect.stringContaining("check the logger's clock") }],
    },
  });
  expect(await under.storedFiles(orderId)).toEqual([]);
  expect((await eventsOf(orderId)).at(-1)).toMatchObject({ internalType: 'TRANSPORT_STARTED' });
});

test('readings that end as the order is created are recorded', async () => {
  const { orderId, organizationId } = await anOrderThat(under, 'SUBMITTED', limits);
  const { created_at } = bodyOf(await under.orders.getOrder({ organizationId, id: orderId }));
  const content = Buffer.from(`time,value\n${created_at},5\n`);
  const request = { organizationId, orderId, readings: readings(content) };
  expect(bodyOf(await under.orders.recordCondition(request)).sequence).toBe(2);
});

/** Moves an order whose custody is from 60 to 120 s from now; readings are 30 s apart from now on. */
const anOrderWithCustody = async () => {
  const start = Date.now();
  const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();
  const { orderId, organizationId } = await anOrderThat(under, 'SUBMITTED', limits);
  const circumstances = { orderId };
  const { commands } = under;
  await commands.assignOrder({ circumstances, transportOrganization: 'Blutkurier' });
  await commands.acceptOrder({ circumstances });
  await commands.assignDriver({ circumstances, driver: 'Kim' });
  await commands.startPickup({ circumstances: { orderId, at: at(60) } });
  await commands.sealOrder({ circumstances, sealIds: ['S-1', 'S-2'] });
  await commands.startTransport({ circumstances });
  await commands.deliverOrder({ circumstances: { orderId, at: at(120) } });
  const record = async (...values: number[]) => {
    const rows = values.map((value, n) => `${at(n * 30)},${value}`);
    const content = Buffer.from(['time,value', ...rows, ''].join('\n'));
    const request = { organizationId, orderId, readings: readings(content) };
    return bodyOf(await under.orders.recordCondition(request));
  };
  return { orderId, at, record };
};

test('a logger in a warm room before the pickup and after the delivery is no incident', async () => {
  const { orderId, at, record } = await anOrderWithCustody();
  const { custody, payload } = await record(22, 21, 5, 6, 7, 23, 24);
  expect(payload).toMatchObject({ count: 7, maximum: 24, excursion_count: 0, excursions: [] });
  expect(payload.custody).toEqual(custody);
  expect(custody).toEqual({
    ...{ from: at(60), to: at(120) },
    covered: { from: at(60), to: at(120), count: 3, minimum: 5, maximum: 7 },
    outside: {
      ...{ excursion_count: 2, excursion_seconds: 90 },
      excursions: [
        { from: at(0), to: at(60), seconds: 60, limit: 'max', extreme: 22 },
        { from: at(150), to: at(180), seconds: 30, limit: 'max', extreme: 24 },
      ],
    },
  });
  expect((await eventsOf(orderId)).at(-1)).toMatchObject({ internalType: 'CONDITION_RECORDED' });
});

test('an excursion within the custody is an incident with the values within it', async () => {
  const { orderId, at, record } = await anOrderWithCustody();
  const { payload } = await record(22, 21, 5, 9, 6, 23);
  expect(payload).toMatchObject({ maximum: 23, excursion_count: 1, excursion_seconds: 30 });
  expect((await eventsOf(orderId)).at(-1)).toMatchObject({
    internalType: 'TEMPERATURE_EXCURSION',
    payload: { from: at(60), to: at(120), minimum: 5, maximum: 9, excursion_count: 1 },
  });
});

test('excursions before the pickup began are no incident', async () => {
  const { orderId, organizationId } = await anOrderThat(under, 'SUBMITTED', limits);
  const request = { organizationId, orderId, readings: readings(csv(22, 23)) };
  expect(bodyOf(await under.orders.recordCondition(request)).custody).toMatchObject({
    ...{ from: null, to: null, covered: null },
    outside: { excursion_count: 1 },
  });
  expect((await eventsOf(orderId)).at(-1)).toMatchObject({ internalType: 'CONDITION_RECORDED' });
});

describe('the same readings of one logger', () => {
  const times = [0, 1].map((n) => new Date(Date.now() + 60_000 + n * 1000).toISOString());
  const forms: readonly (readonly [string, string, string])[] = [
    ['CSV', 'text/csv', `time,value\n${times[0]},9\n${times[1]},5\n`],
    [
      'CSV with other separators and columns',
      'text/csv',
      `\ufeffvalue;no;time\r\n9.0;1;${times[0]}\r\n5;2;${times[1]}\r\n`,
    ],
    [
      'NDJSON',
      'application/x-ndjson',
      times.map((time, n) => `{"time":"${time}","value":${[9, 5][n]}}\n`).join(''),
    ],
  ];

  test('are one excursion in three forms of the file', async () => {
    const { orderId, organizationId } = await anOrderThat(under, 'IN_TRANSIT', limits);
    const results = await Promise.allSettled(
      forms.map(([, mediaType, text]) =>
        under.orders.recordCondition({
          ...{ organizationId, orderId },
          readings: readings(Buffer.from(text), { mediaType }),
        }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({
          details: { detail: [{ msg: expect.stringContaining('entry 8 has these readings') }] },
        });
    const incidents = (await eventsOf(orderId)).filter(
      ({ internalType }) => internalType === 'TEMPERATURE_EXCURSION',
    );
    expect(incidents).toHaveLength(1);
  });

  test('are recorded for a second logger with the same values, and for another order', async () => {
    const [[, , text], [, , other]] = forms as [(typeof forms)[0], (typeof forms)[0]];
    const { orderId, organizationId } = await anOrderThat(under, 'IN_TRANSIT', limits);
    const again = await anOrderThat(under, 'IN_TRANSIT', { ...limits, organizationId });
    const record = async (id: string, file: string, deviceId: string) =>
      bodyOf(
        await under.orders.recordCondition({
          ...{ organizationId, orderId: id },
          readings: readings(Buffer.from(file), { deviceId }),
        }),
      ).payload.readings.normalized_sha256;
    const first = await record(orderId, text, 'LOG-7');
    expect(await record(orderId, other, 'LOG-8')).toBe(first);
    expect(await record(again.orderId, text, 'LOG-7')).toBe(first);
  });
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
  const start = Date.now();
  const row = (n: number) => `${new Date(start + n * 4).toISOString()},4.5,${'x'.repeat(70)}\n`;
  const rows = Array.from({ length: 55_000 }, (_, n) => row(n)).join('');
  const text = (head + rows).slice(0, 5 * 1024 * 1024);
  const content = Buffer.from(text.slice(0, text.lastIndexOf('\n') + 1));
  expect(content.length).toBeGreaterThan(5 * 1024 * 1024 - 200);
  await under.commands.recordCondition({ circumstances, readings: readings(content) });
  const more = Buffer.concat([content.subarray(0, -2), Buffer.from('z\n')]);
  const request = { organizationId, orderId, readings: readings(more, { deviceId: 'LOG-8' }) };
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
  const content = csv(4, 5);
  const request = { organizationId, orderId, readings: readings(content) };
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
  const sha256 = createHash('sha256').update(content).digest('hex');
  const artifact = await under.orders.getArtifact({ organizationId, orderId, sha256 });
  expect(Buffer.from(artifact.content)).toEqual(content);
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
