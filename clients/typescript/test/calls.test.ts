import { inspect } from 'node:util';
import { expect, test } from '@jest/globals';
import {
  AuthenticationError,
  ConnectionFailedError,
  NotSentError,
  RateLimitError,
  ServerError,
  TimedOutError,
  TransportOrdersError,
  ValidationError,
} from '../src/index.ts';
import { cut, error, json, key, type Reply, startServer } from './a-server.ts';

const order = {
  pickup: { address_text: 'Charitéplatz 1, 10117 Berlin' },
  dropoff: { address_text: 'Marienplatz 1, 80331 München' },
  pickup_window_start: '2030-01-01T08:00:00Z',
};
const id = '01900000-0000-7000-8000-000000000000';
const created = json(201, { id: 'o1', status: 'SUBMITTED' });
const silent: Reply = () => {};

test('a create is repeated with the same key and body until it has a response', async () => {
  await using server = await startServer(cut, error(409, 'IDEMPOTENCY_IN_PROGRESS'), created);
  await expect(server.client().orders.create(order)).resolves.toMatchObject({ id: 'o1' });
  expect(server.seen).toHaveLength(3);
  const sent = server.seen.map(({ headers, body }) => [headers['idempotency-key'], body]);
  expect(new Set(sent.map((one) => one.join())).size).toBe(1);
  expect(sent[0]![0]).toMatch(/^[0-9a-f-]{36}$/);
});

test('locations and endpoints are created with a key, too', async () => {
  await using server = await startServer(cut, created, created, cut, created, created);
  const { locations, webhooks } = server.client();
  const place = { label: 'Ward 1', street: 'S 1', zip: '10117', city: 'Berlin' };
  await locations.create(place);
  await locations.create(place, { idempotencyKey: 'LAB-1' });
  await webhooks.create({ url: 'https://a.example' });
  await webhooks.create({ url: 'https://a.example' }, { idempotencyKey: 'LAB-1' });
  const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
  const [first, , , third] = keys;
  expect(keys).toEqual([first, first, 'LAB-1', third, third, 'LAB-1']);
  expect(new Set(keys).size).toBe(3);
});

test('two creates have two keys, and a given key is sent as it is', async () => {
  await using server = await startServer(created);
  const { orders } = server.client();
  await orders.create(order);
  await orders.create(order);
  await orders.create(order, { idempotencyKey: 'LAB-1' });
  const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(3);
  expect(keys[2]).toBe('LAB-1');
});

test('Retry-After of a 429 is waited for, also by a write that is not repeated otherwise', async () => {
  const limited = error(429, 'RATE_LIMITED', { 'retry-after': '1' });
  await using server = await startServer(limited, json(200, { id: 'o1' }));
  await server.client().orders.submit(id);
  const [first, second] = server.seen;
  expect(second!.at - first!.at).toBeGreaterThanOrEqual(990);
});

test('a write that could have an effect twice is sent once', async () => {
  await using server = await startServer(cut);
  const { orders, webhooks } = server.client();
  await expect(orders.submit(id)).rejects.toThrow(ConnectionFailedError);
  await expect(webhooks.rotateSecret(id)).rejects.toThrow(ConnectionFailedError);
  expect(server.seen).toHaveLength(2);
});

test('a call gives up after its attempts with the last error', async () => {
  await using server = await startServer(error(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' }));
  await expect(server.client().ping()).rejects.toThrow(ServerError);
  expect(server.seen).toHaveLength(4);
});

test('a call does not begin a wait that exceeds its total time', async () => {
  await using server = await startServer(error(429, 'RATE_LIMITED', { 'retry-after': '60' }));
  const client = server.client({ limits: { totalTimeoutMs: 5000 } });
  const found = await client.ping().catch((thrown: unknown) => thrown);
  expect(found).toBeInstanceOf(RateLimitError);
  expect(found).toMatchObject({ retryAfter: 60, status: 429 });
  expect(server.seen).toHaveLength(1);
});

test('an attempt ends after its time, and the signal ends a call at once', async () => {
  await using server = await startServer(silent);
  const client = server.client();
  const limits = { attemptsMax: 1, attemptTimeoutMs: 50 };
  await expect(client.ping(limits)).rejects.toThrow(TimedOutError);
  const controller = new AbortController();
  const pending = client.ping({ signal: controller.signal });
  controller.abort(new Error('the user left'));
  await expect(pending).rejects.toThrow('the user left');
  await expect(client.ping({ signal: controller.signal })).rejects.toThrow('the user left');
});

test('a body that drips ends with the attempt', async () => {
  await using server = await startServer((response) => {
    response.writeHead(200).write('{');
  });
  const limits = { attemptsMax: 1, attemptTimeoutMs: 50 };
  await expect(server.client().ping(limits)).rejects.toThrow(TimedOutError);
});

test('an error has the class of its status, and its code narrows the details', async () => {
  const details = { field: 'external_id', order_id: 'o7' };
  const envelope = { error: { code: 'DUPLICATE_EXTERNAL_ID', message: 'exists', details } };
  await using server = await startServer(json(409, envelope, { 'x-request-id': 'r1' }));
  const found = await server
    .client()
    .orders.create(order)
    .catch((thrown: unknown) => thrown);
  expect(found).toMatchObject({ name: 'ConflictError', status: 409, requestId: 'r1', details });
});

test('a validation error has the entries of the response', async () => {
  const detail = [{ loc: ['body', 'sla'], msg: 'Input should be …', type: 'enum' }];
  await using server = await startServer(json(422, { detail }));
  const found = await server
    .client()
    .orders.create(order)
    .catch((thrown: unknown) => thrown);
  expect(found).toBeInstanceOf(ValidationError);
  expect(found).toMatchObject({ code: 'VALIDATION', errors: detail });
});

test('a response that is not the API’s is an error with a code of its own', async () => {
  await using server = await startServer((response) => response.writeHead(502).end('<html>'));
  const found = await server
    .client()
    .ping({ attemptsMax: 1 })
    .catch((thrown: unknown) => thrown);
  expect(found).toMatchObject({ name: 'ServerError', code: 'UNEXPECTED_RESPONSE', status: 502 });
});

test('a success that is not JSON is an error of this package', async () => {
  await using server = await startServer((response) => response.writeHead(200).end('<html>'));
  await expect(server.client().ping()).rejects.toThrow(TransportOrdersError);
});

test('a redirect is not followed, so the key goes to the base URL alone', async () => {
  await using other = await startServer(json(200, {}));
  for (const location of ['/elsewhere', other.baseUrl]) {
    const elsewhere: Reply = (response) => response.writeHead(307, { location }).end();
    await using server = await startServer(elsewhere, json(200, {}));
    await expect(server.client().ping()).rejects.toThrow(ServerError);
    expect(server.seen).toHaveLength(1);
  }
  expect(other.seen).toEqual([]);
});

test('a request has the key and the user agent, and an error never has the key', async () => {
  await using server = await startServer(error(401, 'INVALID_API_KEY'));
  const client = server.client({ userAgent: 'clinic/2.1' });
  const found = await client.orders.get(`urn:uuid:${id}`).catch((thrown: unknown) => thrown);
  expect(found).toBeInstanceOf(AuthenticationError);
  expect(server.seen[0]).toMatchObject({
    url: '/api/partner/v1/orders/urn%3Auuid%3A01900000-0000-7000-8000-000000000000',
    headers: {
      authorization: `Bearer ${key}`,
      'user-agent': expect.stringMatching(/^partner-transport-orders\/\d+\.\d+\.\d+ clinic\/2\.1$/),
    },
  });
  expect(inspect([found, client, client.orders], { depth: 9, showHidden: true })).not.toContain(
    key,
  );
});

test('the platform’s fetch can be replaced', async () => {
  await using server = await startServer(json(200, { organization: 'A' }));
  const urls: string[] = [];
  const client = server.client({
    fetch: (url, init) => {
      urls.push(`${url}`);
      return fetch(url, init);
    },
  });
  await client.ping();
  expect(urls).toEqual([expect.stringMatching(/\/api\/partner\/v1\/ping$/)]);
});

test.each([
  ['a key with a line break', { apiKey: 'svc_test_a\n' }, /apiKey/],
  ['no key', { apiKey: '' }, /is the setting missing/],
  ['a user agent with a line break', { userAgent: 'a\r\nx: y' }, /userAgent/],
  ['a user agent outside of ASCII', { userAgent: 'Universitätsklinikum' }, /userAgent/],
  ['a base URL of another protocol', { baseUrl: 'file:///etc' }, /baseUrl/],
  ['a text that is no URL', { baseUrl: 'api.example' }, /baseUrl/],
  ['a base URL with a user', { baseUrl: 'https://a:b@api.example' }, /baseUrl/],
  ['a limit of 0', { limits: { attemptsMax: 0 } }, /attemptsMax/],
  ['a limit that is no number', { limits: { attemptsMax: 'x' as never } }, /attemptsMax/],
  ['no base URL', { baseUrl: undefined as never }, /baseUrl/],
  ['a fetch that is no function', { fetch: {} as never }, /fetch/],
])('%s is rejected when the client is made', async (_, options, message) => {
  await using server = await startServer(created);
  expect(() => server.client(options)).toThrow(NotSentError);
  expect(() => server.client(options)).toThrow(message);
});
