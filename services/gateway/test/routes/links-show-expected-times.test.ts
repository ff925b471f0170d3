/** What a link for one order shows of expected times and of the driver's circle (decision 87). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { storeCircle } from '@pto/access';
import type { Order } from '@pto/proto/orders/v1/orders';
import { orderJson } from '@pto/representation';
import { stores } from '@pto/testing';
import { Redis } from 'ioredis';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';

const minute = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * minute).toISOString();
const place = (lat?: number, lng?: number) => ({
  id: randomUUID(),
  ...{ label: 'Ward', street: 'Street 1', zip: '10117', city: 'Berlin', country: 'DE' },
  ...{ createdViaApi: true, createdAt: ago(600) },
  ...(lat !== undefined && { lat, lng }),
});
const eta = '2030-01-01T10:00:00.000Z';

let status: string;
let dropoff: object;
const starts: Readonly<Record<string, string>> = {
  DRIVER_ASSIGNED: 'DRIVER_ASSIGNED',
  IN_TRANSIT: 'TRANSPORT_STARTED',
  DELIVERED: 'CUSTODY_TRANSFERRED',
};
const behind = {
  orders: {
    getOrder: async ({ id }: { id: string }) => ({
      body: Buffer.from(
        JSON.stringify(
          orderJson({
            ...{ id, status, sla: 'EXPRESS', source: 'partner_api', items: [] },
            ...{ pickupLocation: place(52.5, 13.4), dropoffLocation: dropoff },
            ...{ pickupWindowStart: ago(60), dropoffEta: eta, etaSource: 'driver' },
            ...{ createdAt: ago(90), updatedAt: ago(30) },
          } as unknown as Order),
        ),
      ),
    }),
    getSequence: async () => ({ sequence: 1, disclosures: [] as never }),
  },
  custody: {
    listEvents: async () => ({
      entries: [
        {
          ...{ id: randomUUID(), type: 'order.updated', internalType: starts[status] },
          ...{ tsUtc: ago(30), payloadJson: '{}', sequence: 1 },
          ...{ prevEventHash: 'f'.repeat(64), eventHash: 'e'.repeat(64) },
        },
      ] as never,
    }),
  },
};

let under: GatewayUnderTest;
let without: GatewayUnderTest;
let redis: Redis;
beforeAll(async () => {
  under = await startGatewayService({ redisUrl: stores().redis!, behind });
  without = await startGatewayService({ redisUrl: 'redis://127.0.0.1:1', behind });
  redis = new Redis(stores().redis!);
});
afterAll(async () => {
  redis.disconnect();
  await under.stop();
  await without.stop();
});

/** What the page of a side reads while the driver was near the center of Berlin. */
const shown = async (
  side: 'pickup' | 'dropoff',
  given: { status?: string; at?: string; to?: object; of?: GatewayUnderTest },
) => {
  const { of = under, at = ago(1) } = given;
  status = given.status ?? 'IN_TRANSIT';
  dropoff = given.to ?? place(52.4, 13.1);
  const { key } = await partnerOf(of);
  const id = randomUUID();
  await storeCircle(redis, id, { lat: 52.517, lng: 13.381, at, driverId: randomUUID() });
  const base = of.baseUrls[0]!;
  const created = await call('POST', `${base}/orders/${id}/links`, { key, body: { side } });
  const secret = new URL(created.body.url).hash.slice(1);
  return (await call('GET', `${base}/order-link`, { key: secret })).body;
};

test('a ward sees when the goods are expected, by whom, and how far the driver was', async () => {
  const at = ago(1);
  expect(await shown('dropoff', { at })).toMatchObject({
    eta,
    eta_source: 'driver',
    // 23.2 km from the center of the circle
    circle: { lat: 52.52, radius_m: 1000, at, distance_km: 24 },
  });
});

test('a place without coordinates has no distance', async () => {
  expect(await shown('dropoff', { to: place() })).toMatchObject({ circle: { distance_km: null } });
});

describe('a circle is not shown', () => {
  test.each<[string, Parameters<typeof shown>]>([
    ['to the side that the driver has left', ['pickup', {}]],
    ['to the side after the next one', ['dropoff', { status: 'DRIVER_ASSIGNED' }]],
    ['after the delivery', ['dropoff', { status: 'DELIVERED' }]],
    ['if it is older than the status', ['dropoff', { at: ago(31) }]],
  ])('%s', async (_, given) => {
    expect(await shown(...given)).toMatchObject({ circle: null });
    expect((await shown('pickup', { status: 'DRIVER_ASSIGNED' })).circle).not.toBeNull();
  });

  test('while Redis is unavailable, and all else is', async () => {
    expect(await shown('dropoff', { of: without })).toMatchObject({ circle: null, eta });
  });
});
