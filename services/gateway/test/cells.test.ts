import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { LocationService } from '@pto/proto/orders/v1/locations';
import { type Handlers, implement, startGrpcServer } from '@pto/rpc';
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
