import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { verifyChain } from '@pto/custody-verifier';
import { until } from '@pto/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Mesh, startMesh } from '../mesh.ts';
import { operator } from '../operator.ts';
import { orderBody, partner } from '../partner.ts';
import { type Receiver, startReceiver } from '../receiver.ts';

let mesh: Mesh;
let receiver: Receiver;
beforeAll(async () => {
  mesh = await startMesh();
  receiver = await startReceiver(mesh);
});
afterAll(async () => {
  await receiver?.stop();
  expect(await mesh?.stop()).toBe(0);
  mesh?.forget();
});

/** The part of the OpenAPI document that describes webhooks. */
interface Document {
  readonly components: object;
  readonly webhooks: Readonly<
    Record<
      string,
      { post: { requestBody: { content: { 'application/json': { schema: object } } } } }
    >
  >;
}

const life = [
  'order.submitted',
  'order.assigned',
  'order.accepted',
  'order.driver_assigned',
  'order.pickup_started',
  'order.sealed',
  'order.in_transit',
  'order.delivered',
  'order.closed',
];

test('an order’s life is a chain that anybody recomputes, and webhooks of the documented form', async () => {
  const { get, post } = partner(mesh);
  expect((await get('/ping')).body).toMatchObject({ status: 'ok', environment: 'sandbox' });

  const endpoint = await receiver.subscribe();
  expect(endpoint.status).toBe(201);
  expect(endpoint.body).toMatchObject({
    status: 'ENABLED',
    secret: expect.stringMatching(/^whsec_/),
  });

  const created = await post('/orders', orderBody({ external_id: 'E2E-1' }), {
    'idempotency-key': 'first',
  });
  expect(created.status).toBe(201);
  const replay = await post('/orders', orderBody({ external_id: 'E2E-1' }), {
    'idempotency-key': 'first',
  });
  expect(replay.headers.get('idempotency-replayed')).toBe('true');
  expect(replay.text).toBe(created.text);

  const { id } = created.body;
  const walked = await operator(mesh, 'order', 'walk', id);
  expect(walked).toMatchObject({ code: 0, json: { id, status: 'CLOSED' } });

  const events = await get(`/orders/${id}/events`);
  expect(events.body.map((entry: { type: string }) => entry.type)).toEqual(life);
  expect(verifyChain(id, events.body).valid).toBe(true);
  expect(await operator(mesh, 'ledger', 'verify')).toMatchObject({
    code: 0,
    json: { orders: 1, entries: 9, valid: true, faults: [] },
  });

  await until(() => receiver.received.length >= life.length, { what: 'nine webhooks' });
  expect(receiver.received.map((delivery) => delivery.event)).toEqual(life);
  for (const [n, { signed, body, event }] of receiver.received.entries()) {
    expect(await signed).toBe(true);
    expect(body).toMatchObject({ event, occurred_at: events.body[n].ts_utc });
    expect(body.data.order).toMatchObject({ id, external_id: 'E2E-1', sequence: n + 1 });
  }

  await post(`/webhooks/${endpoint.body.id}/test`);
  const answer = await fetch(`${mesh.file().gateways[0]}/openapi.json`);
  const { components, webhooks } = (await answer.json()) as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ components }, 'openapi');
  expect(receiver.received.map(({ event }) => event)).toEqual([...life, 'order.test']);
  for (const { event, body } of receiver.received) {
    const { schema } = webhooks[event]!.post.requestBody.content['application/json'];
    const validate = ajv.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')),
    );
    validate(body);
    expect([event, validate.errors]).toEqual([event, null]);
  }
});

test("another organization's order is not found, like one that never existed", async () => {
  const { body } = await partner(mesh).post('/orders', orderBody());
  const other = partner(mesh, mesh.file().organizations[1]!.keys.all);
  const theirs = await other.get(`/orders/${body.id}`);
  const nobodys = await other.get('/orders/01900000-0000-7000-8000-000000000000');
  expect([theirs.status, theirs.text]).toEqual([404, nobodys.text]);
});
