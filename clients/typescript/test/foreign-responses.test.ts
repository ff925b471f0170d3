/** Responses of a captive portal, of a proxy, or of another server. */
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { Client, ConnectionFailedError, NotFoundError, ServerError } from '../src/index.ts';
import { endless, error, json, type Reply, startServer } from './a-server.ts';

const id = '01900000-0000-7000-8000-000000000000';
const html = '<!doctype html><title>Welcome to the hospital</title>';
const order = {
  pickup: { address_text: 'Charitéplatz 1, 10117 Berlin' },
  dropoff: { address_text: 'Marienplatz 1, 80331 München' },
  pickup_window_start: '2030-01-01T08:00:00Z',
};
const reply =
  (status: number, body: string | Buffer, type = 'application/json'): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(body);

test.each([
  ['a page with 200', reply(200, html, 'text/html')],
  ['a page with 201', reply(201, html, 'text/html')],
  ['a page that is called JSON', reply(200, html)],
  ['JSON that is cut off', reply(200, '{"id": "o1", "status"')],
  ['nothing', reply(200, '')],
  ['a 204', (response) => response.writeHead(204).end()],
  ['a text', reply(200, '"ok"')],
  ['null', reply(200, 'null')],
  ['JSON that is not UTF-8', reply(200, Buffer.from('{"id": "\xfc"}', 'latin1'))],
  ['a page with 302', reply(302, html, 'text/html')],
  ['a page with 404', reply(404, html, 'text/html')],
  ['a page with 401', reply(401, html, 'text/html')],
] satisfies [string, Reply][])('%s is a ServerError, and is not repeated', async (_, respond) => {
  await using server = await startServer(respond);
  const client = server.client();
  const { orders, webhooks } = client;
  const calls = [
    () => orders.create(order),
    () => orders.get(id),
    () => orders.custodyProof(id),
    () => orders.list().pages().next(),
    () => webhooks.list(),
    () => client.ping(),
  ];
  for (const call of calls)
    await expect(call()).rejects.toMatchObject({
      ...{ name: 'ServerError', code: 'UNEXPECTED_RESPONSE' },
      message: expect.stringContaining('check the base URL and proxies'),
    });
  expect(server.seen).toHaveLength(calls.length);
});

test('a page in place of a file or of the 204 of a deletion is a ServerError', async () => {
  await using server = await startServer(reply(200, html, 'text/html; charset=utf-8'));
  const { orders, webhooks } = server.client();
  await expect(orders.certificate(id, 'en')).rejects.toThrow(ServerError);
  await expect(orders.artifact(id, 'ab'.repeat(32))).rejects.toThrow(ServerError);
  await expect(webhooks.delete(id)).rejects.toThrow(ServerError);
});

test('a body that ends early is a failed connection, and is repeated', async () => {
  const cutOff: Reply = (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"organization": "De');
    setImmediate(() => response.destroy());
  };
  await using server = await startServer(cutOff, json(200, { organization: 'Demo' }));
  await expect(server.client().ping()).resolves.toMatchObject({ organization: 'Demo' });
  await using always = await startServer(cutOff);
  const failed = always.client().ping({ attemptsMax: 1 });
  await expect(failed).rejects.toThrow(ConnectionFailedError);
});

test('a body without an end is a ServerError, and is not repeated', async () => {
  await using server = await startServer(endless);
  await expect(server.client().ping()).rejects.toMatchObject({
    ...{ name: 'ServerError', message: expect.stringContaining('larger than 268435456 bytes') },
  });
  expect(server.seen).toHaveLength(1);
});

test('a list without items is a ServerError', async () => {
  await using server = await startServer(json(200, { error: 'none' }));
  const client = server.client();
  const expected = { code: 'UNEXPECTED_RESPONSE', message: expect.stringContaining('no list') };
  for (const read of [
    client.orders.list().pages().next(),
    client.listRequests().pages().next(),
    client.webhooks.deliveries.list(id).pages().next(),
    client.listEvents({}),
    client.followEvents().next(),
  ])
    await expect(read).rejects.toMatchObject({ name: 'ServerError', ...expected });
});

test('a fetch whose body is another kind of stream works', async () => {
  const body = { organization: 'Demo' };
  const fetch = async () =>
    ({
      ...{ ok: true, status: 200, headers: new Headers() },
      body: Readable.from([JSON.stringify(body)]),
      arrayBuffer: async () => new TextEncoder().encode(JSON.stringify(body)).buffer,
    }) as unknown as Response;
  const client = new Client({ baseUrl: 'http://localhost/api', apiKey: 'svc_test_x', fetch });
  expect(await client.ping()).toEqual(body);
});

test('errors of the API, files and large responses are as they were', async () => {
  await using server = await startServer(
    error(404, 'NOT_FOUND'),
    reply(200, '%PDF-1.7', 'application/pdf'),
    json(200, { id: 'x'.repeat(20_000_000) }),
    (response) => response.writeHead(204).end(),
    reply(200, '\ufeff{"id": "Köln"}'),
  );
  const { orders, webhooks } = server.client();
  await expect(orders.get(id)).rejects.toThrow(NotFoundError);
  expect(Buffer.from(await orders.certificate(id, 'en')).toString()).toBe('%PDF-1.7');
  expect((await orders.get(id)).id).toHaveLength(20_000_000);
  expect(await webhooks.delete(id)).toBeUndefined();
  expect(await orders.custodyProof(id)).toBe('{"id": "Köln"}');
});
