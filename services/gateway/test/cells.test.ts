import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { CourierService } from '@pto/proto/courier/v1/courier';
import { LocationService } from '@pto/proto/orders/v1/locations';
import { OrderService } from '@pto/proto/orders/v1/orders';
import { type Handlers, type Implementation, implement, startGrpcServer } from '@pto/rpc';
import { createTelemetry } from '@pto/telemetry';
import { tlsOf, until } from '@pto/testing';
import { query } from '../../operators/test/operators-service.ts';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from './gateway-service.ts';

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayService();
});
afterAll(() => under?.stop());

test('a replica that does not know a cell yet responds 503 to its organizations alone', async () => {
  const [here, elsewhere] = await Promise.all([partnerOf(under), partnerOf(under)]);
  await query(under.database.ownerUrl, "update organizations set cell = 'north' where id = $1", [
    elsewhere.organizationId,
  ]);
  const url = (path: string) => `${under.baseUrls[0]}${path}`;
  const unknown = await call('GET', url('/webhooks'), elsewhere);
  expect([unknown.status, unknown.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(unknown.headers.get('retry-after')).toBe('5');
  expect((await call('GET', url('/ping'), elsewhere)).status).toBe(200);
  expect((await call('GET', url('/webhooks'), here)).status).toBe(200);
});

test('settings that name different cells are rejected', async () => {
  const environment = { CUSTODY_ADDRESS: 'main=ipv4:127.0.0.1:1;north=ipv4:127.0.0.1:2' };
  await expect(startGatewayService({ environment })).rejects.toThrow(
    'CUSTODY_ADDRESS and ORDERS_ADDRESS name different cells',
  );
});

/** A cell's orders service, of which the test needs the locations. */
const startLocations = (handlers: Partial<Handlers<typeof LocationService>>) =>
  startGrpcServer({
    host: '127.0.0.1',
    port: 0,
    tls: tlsOf('orders'),
    telemetry: createTelemetry({ service: 'orders', write: () => {} }),
    implementations: [implement(LocationService, handlers as Handlers<typeof LocationService>)],
  });

/** A cell's services of a sandbox, with whatever RPCs a test needs. */
const startSandbox = async (
  orders: Partial<Handlers<typeof OrderService>>,
  courier: Partial<Handlers<typeof CourierService>>,
) => {
  const start = (name: 'orders' | 'courier', implementation: Implementation) =>
    startGrpcServer({
      host: '127.0.0.1',
      port: 0,
      tls: tlsOf(name),
      telemetry: createTelemetry({ service: name, write: () => {} }),
      implementations: [implementation],
    });
  return Promise.all([
    start('orders', implement(OrderService, orders as Handlers<typeof OrderService>)),
    start('courier', implement(CourierService, courier as Handlers<typeof CourierService>)),
  ]);
};

test('the later RPCs of a request go to the cell to which its organization has moved', async () => {
  const id = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
  const bodyOf = (cell: string) => ({ body: Buffer.from(JSON.stringify({ id, cell })) });
  const held = async () => {
    await set("cell = 'north', is_moving = false");
    throw new Failure('ORGANIZATION_HELD', 'The organization is moved.');
  };
  const main = await startSandbox(
    { createOrder: held, getOrder: async () => bodyOf('main') },
    {
      advance: held,
      startRun: async () => {
        throw new Failure('NOT_FOUND', 'There is no such order.');
      },
    },
  );
  let runs = 0;
  const north = await startSandbox(
    { createOrder: async () => bodyOf('north'), getOrder: async () => bodyOf('north') },
    {
      advance: async () => ({}),
      startRun: async () => {
        if (runs++ === 0) throw new Failure('ORGANIZATION_HELD', 'The organization is moved.');
        return {};
      },
    },
  );
  const address = (n: 0 | 1) =>
    `main=ipv4:127.0.0.1:${main[n].port};north=ipv4:127.0.0.1:${north[n].port}`;
  const nowhere = 'main=ipv4:127.0.0.1:1;north=ipv4:127.0.0.1:1';
  const moving = await startGatewayService({
    redisUrl: '',
    environment: {
      ORDERS_ADDRESS: address(0),
      CUSTODY_ADDRESS: nowhere,
      WEBHOOKS_ADDRESS: nowhere,
      COURIER_ADDRESS: address(1),
    },
  });
  const partner = await partnerOf(moving);
  const set = (columns: string) =>
    query(moving.database.ownerUrl, `update organizations set ${columns} where id = $1`, [
      partner.organizationId,
    ]);
  const post = (path: string, body: object, headers = {}) =>
    call('POST', `${moving.baseUrls[0]}${path}`, { key: partner.key, body, headers });
  try {
    await set("cell = 'main', is_moving = true");
    const advanced = await post(`/sandbox/orders/${id}/advance`, {});
    expect([advanced.status, advanced.body]).toEqual([200, { id, cell: 'north' }]);
    await set("cell = 'main', is_moving = true");
    const order = {
      pickup: { location_id: id },
      dropoff: { location_id: id },
      pickup_window_start: '2030-01-01T08:00:00Z',
    };
    const created = await post('/orders', order, { 'x-sandbox-courier': 'auto' });
    expect([created.status, created.headers.get('x-sandbox-courier')]).toEqual([201, null]);
    expect(runs).toBe(2);
  } finally {
    await moving.stop();
    await Promise.all([...main, ...north].map((server) => server.stop()));
  }
}, 30_000);

test('a change that a move rejects waits, and goes to the cell that the organization has then', async () => {
  let rejected = 0;
  const created: string[] = [];
  const main = await startLocations({
    createLocation: async () => {
      rejected += 1;
      throw new Failure('ORGANIZATION_HELD', 'The organization is moved.', {
        retryAfterSeconds: 1,
      });
    },
  });
  const north = await startLocations({
    createLocation: async ({ organizationId }) => {
      created.push(organizationId);
      return { body: Buffer.from('{"id": "one"}') };
    },
  });
  const nowhere = 'main=ipv4:127.0.0.1:1;north=ipv4:127.0.0.1:1';
  const moving = await startGatewayService({
    redisUrl: '',
    environment: {
      ORDERS_ADDRESS: `main=ipv4:127.0.0.1:${main.port};north=ipv4:127.0.0.1:${north.port}`,
      CUSTODY_ADDRESS: nowhere,
      WEBHOOKS_ADDRESS: nowhere,
      COURIER_ADDRESS: nowhere,
    },
    timings: { operationMs: 4000 },
  });
  try {
    const partner = await partnerOf(moving);
    const set = (columns: string) =>
      query(moving.database.ownerUrl, `update organizations set ${columns} where id = $1`, [
        partner.organizationId,
      ]);
    const address = { street: 'A 1', zip: '10115', city: 'Berlin', country: 'DE', label: 'L' };
    const create = () =>
      call('POST', `${moving.baseUrls[0]}/locations`, { key: partner.key, body: address });
    await set('is_moving = true');
    // a hold without an end is an unavailable service, not a word of our own
    const { status, body, headers } = await create();
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      '5',
    ]);
    const before = rejected;
    const waiting = create();
    await until(() => rejected > before + 2, { what: 'rejected calls' });
    await set("cell = 'north', is_moving = false");
    expect((await waiting).status).toBe(201);
    expect(created).toEqual([partner.organizationId]);
  } finally {
    await moving.stop();
    await Promise.all([main.stop(), north.stop()]);
  }
}, 30_000);
