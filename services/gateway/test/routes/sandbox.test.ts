/** The sandbox's headers, prefixes and paths at the gateway (decisions 64 and 67). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import type { StartRunRequest } from '@pto/proto/courier/v1/courier';
import type { CreateEndpointRequest, SetRehearsalRequest } from '@pto/proto/webhooks/v1/webhooks';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';

const id = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
const body = {
  pickup: { location_id: id },
  dropoff: { location_id: id },
  pickup_window_start: '2030-01-01T08:00:00Z',
};
const orders = {
  createOrder: async () => ({ body: Buffer.from(JSON.stringify({ id })), replayed: false }),
};

let started: StartRunRequest[] = [];
let rejection: Failure | undefined;
const courier = {
  startRun: async (request: StartRunRequest) => {
    started.push(request);
    if (rejection) throw rejection;
    return {};
  },
};
let created: CreateEndpointRequest[] = [];
let rehearsed: SetRehearsalRequest[] = [];
const webhooks = {
  createEndpoint: async (request: CreateEndpointRequest) => {
    created.push(request);
    return { body: Buffer.from(JSON.stringify({ id })), replayed: false };
  },
  setRehearsal: async (request: SetRehearsalRequest) => {
    rehearsed.push(request);
    return { rehearsal: { speed: request.speed, faults: request.faults, endsAt: '' } };
  },
};
beforeEach(() => {
  started = [];
  created = [];
  rehearsed = [];
  rejection = undefined;
});

const start = async (environment: string) => {
  const under = await startGatewayService({
    redisUrl: '',
    environment: { ENVIRONMENT: environment, GATEWAY_WRITES_PER_MINUTE: '1000' },
    behind: { orders, courier, webhooks },
  });
  return { under, key: (await partnerOf(under)).key };
};
type Started = Awaited<ReturnType<typeof start>>;
const create = ({ under, key }: Started, more: object, headers: Record<string, string> = {}) =>
  call('POST', `${under.baseUrls[0]}/orders`, { key, body: { ...body, ...more }, headers });
const createHook = ({ under, key }: Started, headers: Record<string, string>) =>
  call('POST', `${under.baseUrls[0]}/webhooks`, {
    key,
    body: { url: 'https://receiver.example/hook' },
    headers,
  });
const rehearse = ({ under, key }: Started, resource: string, wanted: object) =>
  call('PUT', `${under.baseUrls[0]}/${resource}/webhooks/${id}/rehearsal`, { key, body: wanted });
const document = async ({ port }: GatewayUnderTest) =>
  (await call('GET', `http://127.0.0.1:${port}/openapi.json`)).text;

describe('in the sandbox', () => {
  let sandbox: Started;
  beforeAll(async () => {
    sandbox = await start('sandbox');
  });
  afterAll(() => sandbox.under.stop());

  test.each([
    ['a header', {}, { 'x-sandbox-courier': 'decline', 'x-sandbox-step': '2s' }, 'decline', 2000],
    ['a prefix', { external_id: 'sandbox-late_seal-7' }, {}, 'late_seal', 30_000],
    [
      'a header before a prefix',
      { external_id: 'sandbox-decline-7' },
      { 'x-sandbox-courier': 'auto', 'x-sandbox-step': '24h' },
      'auto',
      86_400_000,
    ],
  ])('%s starts a run of the created order', async (_, more, headers, name, stepMs) => {
    const answer = await create(sandbox, more, headers);
    expect([answer.status, answer.headers.get('x-sandbox-courier')]).toEqual([201, null]);
    expect(started).toMatchObject([
      { orderId: id, unlessStarted: true, plan: { case: 'scenario', value: { name, stepMs } } },
    ]);
  });

  test.each([[{}], [{ external_id: 'sandbox-decline' }], [{ external_id: 'my-sandbox-auto-1' }]])(
    'an order that asks for no scenario has no run: %j',
    async (more) => {
      expect((await create(sandbox, more, { 'x-sandbox-step': '1s' })).status).toBe(201);
      expect(started).toEqual([]);
    },
  );

  test.each([
    [{ 'x-sandbox-courier': 'unknown' }, 'X-Sandbox-Courier'],
    [{ 'x-sandbox-step': '24h1ms' }, 'X-Sandbox-Step'],
    [{ 'x-sandbox-step': 'soon' }, 'X-Sandbox-Step'],
  ])('%j is a 422, and nothing is created', async (headers, name) => {
    const answer = await create(sandbox, {}, headers);
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['header', name]]);
    expect(started).toEqual([]);
  });

  test('without the courier the order is created, and a header says so', async () => {
    rejection = new Failure('SERVICE_UNAVAILABLE', 'not now');
    const answer = await create(sandbox, {}, { 'x-sandbox-courier': 'auto' });
    expect([answer.status, answer.headers.get('x-sandbox-courier')]).toEqual([201, 'unavailable']);
    expect(answer.body).toEqual({ id });
  });

  test.each([
    [{}, { speed: 1, faults: [], forMs: 0 }],
    [{ duration: '2h' }, { speed: 1, faults: [], forMs: 0 }],
    [
      { speed: null, faults: [] },
      { speed: 1, faults: [], forMs: 0 },
    ],
    [{ speed: 1 }, { speed: 1, faults: [], forMs: 3_600_000 }],
    [
      { speed: 60, duration: '24h' },
      { speed: 60, faults: [], forMs: 86_400_000 },
    ],
    [
      { faults: ['late', 'reorder', 'duplicate'], duration: '1s' },
      { speed: 1, faults: ['late', 'reorder', 'duplicate'], forMs: 1000 },
    ],
  ])('a rehearsal of %j is passed on', async (wanted, message) => {
    const answer = await rehearse(sandbox, 'sandbox', wanted);
    expect([answer.status, answer.body]).toEqual([
      200,
      { speed: message.speed, faults: message.faults, ends_at: null },
    ]);
    expect(rehearsed).toMatchObject([{ endpointId: id, ...message }]);
  });

  test.each([
    [{ speed: 0 }, ['body', 'speed']],
    [{ speed: 61 }, ['body', 'speed']],
    [{ faults: ['lost'] }, ['body', 'faults', 0]],
    [{ speed: 2, duration: '0s' }, ['body', 'duration']],
    [{ speed: 2, duration: '24h1ms' }, ['body', 'duration']],
  ])('a rehearsal of %j is a 422', async (wanted, loc) => {
    const answer = await rehearse(sandbox, 'sandbox', wanted);
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, loc]);
    expect(rehearsed).toEqual([]);
  });

  test.each(['1', '60'])(
    'X-Sandbox-Speed: %s makes the retries of an endpoint faster',
    async (n) => {
      expect((await createHook(sandbox, { 'x-sandbox-speed': n })).status).toBe(201);
      expect(created).toMatchObject([{ rehearsalSpeed: Number(n) }]);
    },
  );

  test.each(['0', '61', 'fast'])('X-Sandbox-Speed: %s is a 422', async (n) => {
    const answer = await createHook(sandbox, { 'x-sandbox-speed': n });
    expect([answer.status, answer.body.detail[0].loc]).toEqual([
      422,
      ['header', 'X-Sandbox-Speed'],
    ]);
    expect(created).toEqual([]);
  });

  test('the document has the operations and the headers', async () => {
    const text = await document(sandbox.under);
    const [orderPath, hookPath] = [
      '/sandbox/orders/{order_id}/advance',
      '/sandbox/webhooks/{endpoint_id}/rehearsal',
    ];
    for (const part of [orderPath, hookPath, 'X-Sandbox-Step', 'X-Sandbox-Speed'])
      expect(text).toContain(part);
  });
});

describe('in production', () => {
  let production: Started;
  beforeAll(async () => {
    production = await start('production');
  });
  afterAll(() => production.under.stop());

  test.each([
    ['POST', 'orders', 'advance'],
    ['GET', 'orders', 'steps'],
    ['DELETE', 'orders', 'steps'],
    ['PUT', 'webhooks', 'rehearsal'],
    ['GET', 'webhooks', 'rehearsal'],
  ])('%s …/%s/{id}/%s is the 404 of an unknown path', async (method, of, path) => {
    const { under, key } = production;
    const at = (resource: string) => `${under.baseUrls[0]}/${resource}/${of}/${id}/${path}`;
    const options = { key, ...((method === 'POST' || method === 'PUT') && { body: {} }) };
    const [sandbox, unknown] = await Promise.all(
      ['sandbox', 'unknown'].map((resource) => call(method, at(resource), options)),
    );
    expect([sandbox!.status, sandbox!.text]).toEqual([404, unknown!.text]);
  });

  test.each([
    [{}, { 'x-sandbox-courier': 'auto' }],
    [{}, { 'x-sandbox-courier': 'unknown', 'x-sandbox-step': 'soon' }],
    [{ external_id: 'sandbox-auto-1' }, {}],
  ])('headers and prefixes are ignored: %j %j', async (more, headers) => {
    const answer = await create(production, more, headers as Record<string, string>);
    expect([answer.status, answer.headers.get('x-sandbox-courier')]).toEqual([201, null]);
    expect(started).toEqual([]);
  });

  test.each(['60', 'fast'])('X-Sandbox-Speed: %s is ignored', async (speed) => {
    expect((await createHook(production, { 'x-sandbox-speed': speed })).status).toBe(201);
    expect(created.map(({ rehearsalSpeed }) => rehearsalSpeed)).toEqual([undefined]);
  });

  test('the document names nothing of the sandbox', async () => {
    const text = await document(production.under);
    expect(text.match(/sandbox\/\w+|X-Sandbox|Sandbox[A-Z]\w+|Rehears\w+/g)).toBeNull();
  });
});
