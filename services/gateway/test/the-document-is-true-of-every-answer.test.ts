import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Failure, type FailureKind, kinds } from '@pto/errors';
import type { Order } from '@pto/proto/orders/v1/orders';
import { orderJson } from '@pto/representation';
import type { Backends } from '../src/backends.ts';
import { refusalsOf } from '../src/openapi/refusals.ts';
import { routeTable } from '../src/routes/table.ts';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from './gateway-service.ts';
import { answersOf, type Document } from './openapi-answers.ts';

const id = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
const at = '2026-01-15T09:30:00.000Z';
const place = { id, label: 'L', street: 'S', zip: '1', city: 'C', country: 'DE', createdAt: at };
/** With every member set, and with no more than there must be. */
const orders = [
  {
    id,
    status: 'SUBMITTED',
    sla: 'STANDARD',
    sequence: 3,
    externalId: 'e',
    source: 'partner_api',
    pickupLocation: { ...place, lat: 1.5, lng: 2 },
    dropoffLocation: place,
    dropoffAddressText: 'abc',
    pickupWindowStart: at,
    pickupWindowEnd: at,
    notes: 'n',
    pickupDetail: 'p',
    dropoffDetail: 'd',
    items: [{ goodsType: 'blood', sealId: 'S' }, { goodsType: 'tissue' }],
    priceTotal: '12.50',
    cancelReason: 'r',
    createdAt: at,
    updatedAt: at,
  },
  { id, status: 'DRAFT', sla: 'CRITICAL', sequence: 0, items: [], createdAt: at, updatedAt: at },
];
const health = { failureRatio: 0.5, breaksAt: at };
const endpoints = [
  { id, url: 'https://a.example/h', status: 'BROKEN', createdAt: at, lastFailureAt: at, health },
  { id, url: 'https://a.example/h', status: 'ENABLED', createdAt: at, lastSuccessAt: at },
];
const attempts = [
  { at, statusCode: 204, durationMs: 5 },
  { at, error: 'timeout', durationMs: 10_000 },
];
const deliveries = [
  { state: 'DELIVERED', sequence: 7, replayOf: id, attempts },
  { state: 'EXHAUSTED', reason: 'broken' },
  { state: 'PENDING', dueAt: at },
].map((more) => ({
  id,
  endpointId: id,
  orderId: id,
  event: 'order.sealed',
  createdAt: at,
  ...more,
}));
const entries = [
  { id, type: 'order.sealed', internalType: 'SEAL_APPLIED', gpsLat: 1.5, payloadJson: '{"a":1}' },
  { id, type: 'order.closed', internalType: 'ORDER_CLOSED', payloadJson: '' },
].map((entry) => ({ ...entry, tsUtc: at, prevEventHash: 'a', eventHash: 'b', sequence: 1 }));

let under: GatewayUnderTest;
let document: Document;
let key: string;
let refuse: Failure | undefined;
let turn = 0;
/** Each of a few answers in its turn. */
const one = <T>(of: readonly T[]): T => of[turn++ % of.length]!;
const answer =
  <R extends object>(give: () => R) =>
  async (): Promise<R> => {
    if (refuse) throw refuse;
    return give();
  };

beforeAll(async () => {
  const order = answer(() => ({ order: one(orders) }));
  const endpoint = answer(() => ({ endpoint: one(endpoints) }));
  under = await startGatewayService({
    redisUrl: '',
    environment: { GATEWAY_WRITES_PER_MINUTE: '10000', GATEWAY_READS_PER_MINUTE: '10001' },
    behind: {
      orders: {
        createOrder: answer(() => ({
          body: Buffer.from(JSON.stringify(orderJson(one(orders) as unknown as Order))),
          replayed: true,
        })),
        getOrder: order,
        cancelOrder: order,
        submitOrder: order,
        listOrders: answer(() => ({ orders, nextCursor: 'next' })),
      },
      locations: {
        createLocation: answer(() => ({ location: place })),
        listLocations: answer(() => ({ locations: [place] })),
      },
      custody: { listEvents: answer(() => ({ entries })) },
      webhooks: {
        createEndpoint: answer(() => ({ endpoint: one(endpoints), secret: 'whsec_x' })),
        listEndpoints: answer(() => ({ endpoints })),
        getEndpoint: endpoint,
        updateEndpoint: endpoint,
        deleteEndpoint: answer(() => ({})),
        verifyEndpoint: answer(() => ({ endpoint: one(endpoints), verified: false })),
        testEndpoint: answer(() =>
          one([
            { id, statusCode: 204, delivered: true },
            { id, error: 'e' },
          ]),
        ),
        rotateSecret: answer(() => ({ secret: 'whsec_x', previousExpiresAt: at })),
        recoverEndpoint: answer(() =>
          one([
            { queued: 2, until: at },
            { queued: 1000, until: at, nextSince: at },
          ]),
        ),
        listEndpointDeliveries: answer(() => ({ deliveries, nextId: one(['', id]) })),
        getEndpointDelivery: answer(() => ({ delivery: one(deliveries) })),
        replayEndpointDelivery: answer(() => ({ delivery: one(deliveries) })),
      },
    },
  });
  ({ key } = await partnerOf(under));
  const answered = await call('GET', `http://127.0.0.1:${under.port}/openapi.json`);
  document = answered.body;
});
afterAll(() => under.stop());
beforeEach(() => {
  refuse = undefined;
});

/** What no service says: the gateway refuses it, or the server by a bare status line. */
const ours = new Set<FailureKind>(['VALIDATION', 'REQUEST_TIMEOUT']);
const table = routeTable({} as Backends, 'sandbox');
const rows = table.map((row) => [row.name, row] as const);
/** A request that each operation takes, made of the document's own example. */
const ask = (
  { method, path }: { method: string; path: string },
  more: Parameters<typeof call>[2] = {},
) => {
  const operation = operationAt(method, path);
  const body = operation.requestBody?.content?.['application/json'].example;
  return call(method, `${under.baseUrls[0]}${path.replace(/:\w+/g, id)}`, { key, body, ...more });
};
const operationAt = (method: string, path: string) =>
  document.paths[path.replace(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!;

describe.each(rows)('%s', (_, row) => {
  const expectTrue = async (expected: number, more: Parameters<typeof call>[2] = {}) => {
    const answered = await ask(row, more);
    expect(answered.status).toBe(expected);
    const operation = operationAt(row.method, row.path);
    expect(answersOf(document).faults(operation, answered)).toEqual([]);
  };

  test('the example asks for it, and its answers are as documented', async () => {
    for (const _ of [1, 2]) await expectTrue(row.success);
  });

  test('what a service refuses is told as documented', async () => {
    const passedOn = refusalsOf(row).filter((kind) => kinds[kind].http > 403 && !ours.has(kind));
    for (const kind of row.name === 'ping' ? [] : passedOn) {
      refuse = new Failure(kind, 'm', { details: { field: 'f' } });
      await expectTrue(kinds[kind].http);
    }
  });

  test('refused by the gateway itself', async () => {
    await expectTrue(401, { key: 'no' });
    await expectTrue(403, { key: (await partnerOf(under, { disabled: true })).key });
    const limits = { reads: 1, writes: 1 };
    const { key: poor } = await partnerOf(under, limits);
    await ask(row, { key: poor });
    await expectTrue(429, { key: poor });
    if (row.method !== 'GET') await expectTrue(413, { body: 'x'.repeat(300_000) });
    if (row.schemas.body) await expectTrue(422, { body: '{' });
    if (row.schemas.body) await expectTrue(415, { headers: { 'content-type': 'text/plain' } });
  });
});

test('each status of an operation has an example, and the examples hold', () => {
  const { operations, responseOf, faultsIn, examplesOf } = answersOf(document);
  const webhooks = Object.values(document.webhooks).map(({ post }) => post);
  for (const operation of [...operations, ...webhooks]) {
    const contents = [
      operation.requestBody,
      ...Object.keys(operation.responses).map((status) => responseOf(operation, status)),
    ];
    for (const media of contents.map((content) => content?.content?.['application/json'])) {
      if (!media) continue;
      const examples = examplesOf(media);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        expect([operation.operationId, example]).not.toEqual([operation.operationId, undefined]);
        expect([operation.operationId, faultsIn(media.schema, example)]).toEqual([
          operation.operationId,
          [],
        ]);
      }
    }
  }
});
