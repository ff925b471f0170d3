import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Authority, makeAuthority, until } from '@pto/testing';
import { startReceiver } from './receiver.ts';
import {
  anOrganization,
  eventsOf,
  type Replica,
  type Stores,
  startReplica,
  startStores,
} from './webhooks-service.ts';

let authority: Authority;
let stores: Stores;
let replica: Replica;

beforeAll(async () => {
  authority = makeAuthority();
  stores = await startStores();
  replica = await startReplica(stores, { WEBHOOKS_CA_FILE: authority.caFile });
});
afterAll(async () => {
  await replica.stop();
  await stores.stop();
  authority.forget();
});

test('what the ledger announces arrives as contract 6.3 to 6.5 and decision 42 say', async () => {
  const organizationId = anOrganization();
  const receiver = await startReceiver(authority, { path: '/hooks?tenant=7' });
  const { endpoint, secret } = await replica.webhooks.createEndpoint({
    organizationId,
    url: receiver.url,
  });
  expect(endpoint).toMatchObject({ status: 'ENABLED', url: receiver.url, organizationId });
  expect(receiver.asked[0]).toMatch(/^\/hooks\?tenant=7&verification=[\w-]{43}$/);
  expect(secret).toMatch(/^whsec_[0-9A-Za-z]{43}$/);

  const [custody] = eventsOf(organizationId, 1);
  await stores.publish([custody!]);
  const got = await until(() => receiver.received[0], { what: 'the delivery' });
  expect(got.event).toBe('order.submitted');
  expect(JSON.parse(got.body)).toEqual({
    event: 'order.submitted',
    occurred_at: '2026-01-15T09:30:01.000Z',
    data: {
      order: {
        id: custody!.event!.orderId,
        external_id: 'PO-7',
        status: 'submitted',
        updated_at: '2026-01-15T09:30:01.000Z',
        sequence: 1,
      },
      custody: { sequence: 1, head_hash: custody!.eventHash },
    },
    links: { order: `https://api.example.com/api/partner/v1/orders/${custody!.event!.orderId}` },
    sequence: 1,
  });
  expect(got.sequence).toBe(1);
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(got.signature) ?? [];
  expect(Math.abs(Number(t) - got.at / 1000)).toBeLessThan(5);
  expect(v1).toBe(createHmac('sha256', secret).update(`${t}.${got.body}`).digest('hex'));

  const id = endpoint!.id;
  const delivery = await until(
    async () => {
      const page = await replica.deliveries.listDeliveries({ endpointId: id, state: 'DELIVERED' });
      return page.deliveries[0];
    },
    { what: 'the delivery to be recorded' },
  );
  expect(delivery).toMatchObject({
    id: got.id,
    endpointId: id,
    orderId: custody!.event!.orderId,
    event: 'order.submitted',
    state: 'DELIVERED',
    dueAt: '',
  });
  expect(delivery.attempts).toMatchObject([{ statusCode: 204, error: '' }]);
  const after = await replica.webhooks.getEndpoint({ id, organizationId });
  expect(after.endpoint?.lastSuccessAt).toMatch(/^\d{4}-.*Z$/);
  await receiver.close();
});
