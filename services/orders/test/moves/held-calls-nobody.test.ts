/** A gateway repeats a rejected call every 100 ms: what a change does before its transaction. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aHandover, anOrderThat } from '../changes/an-order-in-transit.ts';
import { anOrder, charite, type OrdersUnderTest, startOrdersService } from '../orders-service.ts';
import { isHeld } from './failures.ts';

let geocoder: Server;
let asked = 0;
let under: OrdersUnderTest;
let local: OrdersUnderTest;
beforeAll(async () => {
  geocoder = createServer((_, response) => {
    asked += 1;
    response.end(JSON.stringify({ features: [] }));
  });
  await new Promise<void>((resolve) => geocoder.listen(0, '127.0.0.1', resolve));
  const { port } = geocoder.address() as AddressInfo;
  const environment = {
    ORDERS_GEOCODER: 'photon',
    ORDERS_GEOCODER_URL: `http://127.0.0.1:${port}`,
  };
  [under, local] = await Promise.all([startOrdersService({ environment }), startOrdersService()]);
});
afterAll(async () => {
  await Promise.all([under?.stop(), local?.stop()]);
  geocoder.close();
});

test('the geocoder gets no request for a held organization', async () => {
  const organizationId = randomUUID();
  const moved = { organizationId, token: '1' };
  const create = () => under.orders.createOrder(anOrder({ organizationId }));
  const location = { organizationId, label: 'L', ...charite };
  await under.moves.hold(moved);
  await expect(create()).rejects.toMatchObject(isHeld);
  await expect(under.locations.createLocation(location)).rejects.toMatchObject(isHeld);
  expect(asked).toBe(0);
  await under.moves.release(moved);
  await expect(create()).rejects.toMatchObject({ kind: 'ADDRESS_NOT_RESOLVED' });
  await under.locations.createLocation(location);
  expect(asked).toBe(3);
});

test('readings and files of a held organization are not parsed', async () => {
  const { organizationId, orderId, circumstances } = await anOrderThat(local, 'SEALED');
  const moved = { organizationId, token: '1' };
  const content = Buffer.from('neither readings nor a picture');
  const readings = { content, mediaType: 'text/csv', deviceId: 'LOG-7', unit: 'celsius' };
  const artifact = { content, mediaType: 'image/png' };
  const changes = [
    () => local.orders.recordCondition({ organizationId, orderId, readings }),
    () => local.commands.recordCondition({ circumstances, readings }),
    () =>
      local.commands.recordHandover({
        circumstances,
        ...aHandover({ methods: ['photo'], artifact }),
      }),
  ];
  await local.moves.hold(moved);
  for (const change of changes) await expect(change()).rejects.toMatchObject(isHeld);
  await local.moves.release(moved);
  for (const change of changes)
    await expect(change()).rejects.toMatchObject({ kind: 'VALIDATION' });
});
