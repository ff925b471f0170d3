import type { Location } from '@pto/proto/orders/v1/locations';
import type { Order } from '@pto/proto/orders/v1/orders';
import type { Endpoint } from '@pto/proto/webhooks/v1/webhooks';
import { endpointJson, locationJson, orderJson } from '@pto/representation';
import { condition } from '../../src/openapi/example-values.ts';
import type { Behind } from '../gateway-service.ts';

export const id = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
const at = '2026-01-15T09:30:00.000Z';
const now = new Date().toISOString();
const place = { id, label: 'L', street: 'S', zip: '1', city: 'C', country: 'DE', createdAt: at };
const evidence = {
  openIncidentsJson: '[{"entry":3,"kind":"delay","severity":"low"}]',
  requiredEvidenceJson: '{"pickup":["pin"],"dropoff":[],"return":[]}',
  temperatureMin: '2.00',
};
const texts = { externalId: 'x', notes: 'x', pickupDetail: 'x', dropoffDetail: 'x' };
/** With every member set, and with no more than there must be. */
const orders = [
  {
    id,
    status: 'CLOSED',
    sla: 'STANDARD',
    sequence: 3,
    ...texts,
    ...evidence,
    source: 'partner_api',
    pickupLocation: { ...place, lat: 1.5, lng: 2 },
    dropoffLocation: place,
    dropoffAddressText: 'abc',
    pickupWindowStart: at,
    pickupWindowEnd: at,
    items: [{ goodsType: 'blood', sealId: 'S' }, { goodsType: 'tissue' }],
    priceTotal: '12.50',
    cancelReason: 'r',
    createdAt: at,
    updatedAt: now,
  },
  // their links have not ended
  { id, status: 'CLOSED', sla: 'CRITICAL', sequence: 0, items: [], createdAt: at, updatedAt: now },
];
const health = { failureRatio: 0.5, breaksAt: at };
const endpoints = [
  { id, url: 'https://a.example/h', status: 'BROKEN', createdAt: at, lastFailureAt: at, health },
  { id, url: 'https://a.example/h', status: 'ENABLED', createdAt: at, lastSuccessAt: at },
];
const attempts = [
  { at, statusCode: 204, durationMs: 5, responseBody: 'ok' },
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
const summaries = [
  { lastDeliveredAt: at, endpointStatus: 'BROKEN', events: 2, delivered: 1 },
  { lastFailure: attempts[1], endpointDeletedAt: at, dueAt: at, events: 2, failed: 2 },
].map((more) => ({ endpointId: id, endpointAddress: 'a.example/h', ...more }));
const entries = [
  { id, type: 'order.sealed', internalType: 'SEAL_APPLIED', gpsLat: 1.5, payloadJson: '{"a":1}' },
  { id, type: 'order.closed', internalType: 'ORDER_CLOSED', payloadJson: '' },
].map((entry) => ({ ...entry, tsUtc: now, prevEventHash: 'a', eventHash: 'b', sequence: 1 }));

const events = [
  { externalId: 'x', orderStatus: 'SEALED', orderUpdatedAt: at },
  { orderStatus: 'SEALED', orderUpdatedAt: at },
].map((more, n) => ({
  ...{ number: BigInt(n + 1), leafIndex: 41n, orderId: id, id, type: 'order.sealed', tsUtc: at },
  ...{ sequence: 1, prevEventHash: 'a', eventHash: 'b' },
  ...more,
}));
const eventPages = [
  { events, hasMore: true, asOf: at, checkpoint: 'note' },
  { events: [], hasMore: false, asOf: at },
];

const runs = { plan: 'script', taken: 1, count: 2 };
const steps = [
  {
    status: 'ASSIGNED',
    next: 'ACCEPTED',
    actions: ['to', 'decline'],
    run: { ...runs, state: 'running', nextAt: at },
  },
  { status: 'CLOSED', actions: ['incident'], run: { ...runs, state: 'ended', reason: 'r' } },
  { status: 'CANCELLED' },
];

const rehearsals = [
  { speed: 60, faults: ['late', 'reorder'], endsAt: at },
  { speed: 1, faults: [], endsAt: '' },
];

const portalLinks = [
  {
    url: 'https://portal.example/#ptl_x',
    link: { id, opensUntil: at, expiresAt: at, scopes: ['orders:read'], readOnly: true },
  },
  {
    url: 'https://portal.example/#ptl_y',
    link: { id, opensUntil: at, expiresAt: at, scopes: ['webhooks:manage'], endpointId: id },
  },
];

const orderLinks = [
  { id, side: 'pickup', createdAt: at, expiresAt: at, views: 2, lastViewedAt: at },
  { id, side: 'dropoff', createdAt: at, expiresAt: at },
];

const ownKeys = [
  { name: 'LIMS', expiresAt: at, lastUsedAt: at, allowedCidrs: ['192.0.2.0/24'] },
  { scopes: ['orders:read'] },
].map((more, n) => ({
  key: { id, last4: 'abcd', createdAt: at, ...more },
  ...(n === 0 ? { replacedBy: id } : { rotatable: true }),
}));

/**
 * Services that answer every call with plausible values, in turn those with every member and those
 * with few.
 * @param before called before each answer; what it throws is the answer
 */
export const answeringServices = (before: () => void = () => {}): Behind => {
  let turn = 0;
  const one = <T>(of: readonly T[]): T => of[turn++ % of.length]!;
  const answer =
    <R extends object>(give: () => R) =>
    async (): Promise<R> => {
      before();
      return give();
    };
  const body = () => Buffer.from(JSON.stringify(orderJson(one(orders) as unknown as Order)));
  const order = answer(() => ({ body: body() }));
  const endpoint = answer(() => ({ endpoint: one(endpoints) }));
  return {
    orders: {
      createOrder: answer(() => ({ body: body(), replayed: true })),
      getOrder: order,
      getSequence: answer(() => ({ sequence: one(orders).sequence })),
      cancelOrder: order,
      submitOrder: order,
      recordCondition: answer(() => ({
        body: Buffer.from(JSON.stringify(condition)),
        replayed: true,
      })),
      getArtifact: answer(() => ({ content: Buffer.from('time,value\n'), mediaType: 'text/csv' })),
      listOrders: answer(() => ({ bodies: [body(), body()], nextCursor: 'next' })),
    },
    locations: {
      createLocation: answer(() => ({
        body: Buffer.from(JSON.stringify(locationJson(place as Location))),
        replayed: true,
      })),
      listLocations: answer(() => ({ locations: [place] })),
    },
    custody: {
      listEvents: answer(() => ({ entries })),
      listOrganizationEvents: answer(() => one(eventPages)),
    },
    courier: {
      advance: answer(() => ({ status: 'SEALED' })),
      startRun: answer(() => ({})),
      listSteps: answer(() => one(steps)),
    },
    portal: {
      createLink: answer(() => one(portalLinks)),
      endLinks: answer(() => ({})),
    },
    orderLinks: {
      createOrderLink: answer(() => ({ link: one(orderLinks), url: 'https://portal.example/o#x' })),
      listOrderLinks: answer(() => ({ links: orderLinks })),
      endOrderLinks: answer(() => ({})),
      countOrderLinkView: answer(() => ({})),
    },
    ownKeys: {
      listOwnKeys: answer(() => ({ keys: ownKeys })),
      rotateOwnKey: answer(() => ({
        ...{ id, newSecret: 'svc_test_x', previousExpiresAt: at, replayed: true },
      })),
    },
    webhooks: {
      createEndpoint: answer(() => {
        const created = {
          ...endpointJson(one(endpoints) as unknown as Endpoint),
          secret: 'whsec_x',
        };
        return {
          body: Buffer.from(JSON.stringify({ ...created, handshake: null })),
          replayed: true,
        };
      }),
      listEndpoints: answer(() => ({ endpoints })),
      setRehearsal: answer(() => ({ rehearsal: one(rehearsals) })),
      getRehearsal: answer(() => ({ rehearsal: one(rehearsals) })),
      getEndpoint: endpoint,
      updateEndpoint: endpoint,
      deleteEndpoint: answer(() => ({})),
      verifyEndpoint: answer(() => ({ endpoint: one(endpoints), verified: false })),
      testEndpoint: answer(() =>
        one([
          { id, statusCode: 204, delivered: true, durationMs: 12, responseBody: 'ok' },
          { id, error: 'e', durationMs: 3000 },
        ]),
      ),
      rotateSecret: answer(() => ({ secret: 'whsec_x', previousExpiresAt: at })),
      recoverEndpoint: answer(() =>
        one([
          { queued: 2, until: at },
          { queued: 1000, until: at, nextSince: at },
        ]),
      ),
      getEndpointMetrics: answer(() => ({
        days: [
          { day: '2026-03-01', delivered: 2, failed: 1, pending: 1, p95Ms: 12 },
          { day: '2026-03-02' },
        ],
      })),
      listEndpointDeliveries: answer(() => ({ deliveries, nextId: one(['', id]) })),
      listDeliveriesOfOrder: answer(() => ({ deliveries, endpoints: summaries })),
      getEndpointDelivery: answer(() => ({ delivery: one(deliveries) })),
      replayEndpointDelivery: answer(() => ({ delivery: one(deliveries) })),
    },
  };
};
