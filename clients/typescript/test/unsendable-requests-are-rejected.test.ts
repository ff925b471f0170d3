import { expect, test } from '@jest/globals';
import { Client, NotSentError, type OrderCreate } from '../src/index.ts';
import { json, key, startServer } from './a-server.ts';

const id = '01900000-0000-7000-8000-00000000000A';
const order: OrderCreate = {
  pickup: { address_text: 'Charitéplatz 1, 10117 Berlin' },
  dropoff: { address_text: 'Marienplatz 1, 80331 München' },
  pickup_window_start: '2030-01-01T08:00:00Z',
};
const ok = json(200, { id: 'o1', data: [] });
const callsWith = ({ orders, sandbox, webhooks }: Client, id: string) => [
  () => orders.get(id),
  () => orders.cancel(id, { reason: 'because' }),
  () => orders.submit(id),
  () => orders.events(id),
  () => orders.custody(id),
  () => orders.custodyProof(id),
  () => orders.certificate(id, 'en'),
  () => orders.epcis(id),
  () => orders.fhir(id),
  () => orders.artifact(id, 'ab'.repeat(32)),
  () => orders.recordCondition(id, {} as never),
  () => sandbox.advance(id, { to: 'SEALED' }),
  () => sandbox.runScript(id, []),
  () => sandbox.steps(id),
  () => webhooks.get(id),
  () => webhooks.update(id, {}),
  () => webhooks.delete(id),
  () => webhooks.verify(id),
  () => webhooks.test(id),
  () => webhooks.rotateSecret(id),
  () => webhooks.recover(id, { since: '2026-01-01T00:00:00Z' }),
  () => webhooks.deliveries.list(id).pages().next(),
  () => webhooks.deliveries.get(id, idOfDelivery),
  () => webhooks.deliveries.get(idOfDelivery, id),
  () => webhooks.deliveries.replay(id, idOfDelivery),
  () => webhooks.deliveries.replay(idOfDelivery, id),
];
const idOfDelivery = '01900000-0000-7000-8000-000000000001';

test.each([
  '..',
  '.',
  '',
  'a/b?c',
  'o1',
  id.slice(1),
  `${id}0`,
  `${id}\n`,
  `{${id}`,
  `{urn:uuid:${id}}`,
  undefined as never,
])('no call sends a request for the id %j', async (wrong) => {
  await using server = await startServer(ok);
  for (const call of callsWith(server.client(), wrong))
    await expect(call()).rejects.toThrow(NotSentError);
  expect(server.seen).toEqual([]);
});

test('each form of a UUID that the API reads is sent', async () => {
  const forms = [id, id.toLowerCase(), id.replaceAll('-', ''), `{${id}}`, `urn:uuid:${id}`];
  await using server = await startServer(ok);
  for (const form of forms) for (const call of callsWith(server.client(), form)) await call();
  expect(server.seen).toHaveLength(forms.length * callsWith(server.client(), id).length);
});

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;

test.each([
  ['a BigInt', 1n],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['an object that contains itself', cyclic],
  ['a function', () => 1],
  ['a symbol', Symbol('a')],
  ['a Date without a time', new Date(Number.NaN)],
  ['a Map', new Map([['a', 1]])],
  ['a promise that nobody awaited', Promise.resolve({})],
  ['bytes', new Uint8Array(2)],
  ['a lone surrogate', '\ud800'],
  ['an array with an undefined element', [undefined]],
])('a body with %s is refused before it is sent', async (_, value) => {
  await using server = await startServer(ok);
  const { orders } = server.client();
  const body = { ...order, notes: value as string };
  await expect(orders.create(body)).rejects.toThrow(NotSentError);
  expect(server.seen).toEqual([]);
});

test('a Date of a body is sent as ISO 8601, and undefined members are left out', async () => {
  await using server = await startServer(ok);
  const start = new Date('2030-01-01T08:00:00Z') as unknown as string;
  const body = { ...order, pickup_window_start: start, notes: undefined as never };
  await server.client().orders.create(body);
  expect(JSON.parse(server.seen[0]!.body)).toEqual({
    ...order,
    pickup_window_start: '2030-01-01T08:00:00.000Z',
  });
});

test.each(['', 'a b', 'a\nb', 'é', 'a'.repeat(256)])(
  'the idempotency key %j is refused before it is sent',
  async (idempotencyKey) => {
    await using server = await startServer(ok);
    const { orders } = server.client();
    await expect(orders.create(order, { idempotencyKey })).rejects.toThrow(NotSentError);
    expect(server.seen).toEqual([]);
  },
);

test('a filter that is no text and a time that is none are refused before they are sent', async () => {
  await using server = await startServer(ok);
  const { orders } = server.client();
  const list = orders.list({ external_id: '\ud800' }).pages();
  await expect(list.next()).rejects.toThrow(NotSentError);
  expect(() => orders.changes(new Date(Number.NaN))).toThrow(NotSentError);
  expect(server.seen).toEqual([]);
});

test.each([
  'http://api.example/api/partner/v1',
  'http://127.0.0.1.evil.example',
  'http://localhost.evil.example',
  'http://localhost@evil.example',
  'http://[::2]',
  'http://128.0.0.1',
  'http://10.0.0.1:8080',
])('a key is not sent readable to %s, unless the options permit it', (baseUrl) => {
  expect(() => new Client({ baseUrl, apiKey: key })).toThrow(NotSentError);
  if (!baseUrl.includes('@')) new Client({ baseUrl, apiKey: key, allowInsecure: true });
});

test.each([
  'https://api.example/api/partner/v1/',
  'http://localhost:8080/api/partner/v1',
  'http://127.0.0.1:8080',
  'http://127.9.8.7',
  'http://[::1]:8080',
])('%s is a base URL without further options', (baseUrl) => {
  new Client({ baseUrl, apiKey: key });
});
