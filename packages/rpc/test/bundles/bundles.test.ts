import { create, type Message } from '@bufbuild/protobuf';
import { Client, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { afterEach, expect, test } from '@jest/globals';
import { BundledCallSchema, CallManyRequestSchema } from '@pto/proto/rpc/v1/bundle';
import { newRequestId, withRequestId } from '@pto/telemetry';
import { tlsOf, until } from '@pto/testing';
import { bundleDefinition } from '../../src/grpc/bundles.ts';
import { channelCredentials } from '../../src/grpc/grpc-credentials.ts';
import { serverIdentity, watchTls } from '../../src/tls.ts';
import { clientOf, host, startOrders } from './order-server.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const start = async (slow?: Promise<unknown>, process?: 'webhooks') => {
  const seen: string[] = [];
  const server = await startOrders(seen, slow);
  const client = clientOf(server.port, process);
  closers.push(
    () => server.stop(),
    () => client.close(),
  );
  const get = async (id: string, deadline = performance.now() + 10_000): Promise<string> =>
    Buffer.from((await client.getOrder({ id }, { deadline })).body).toString();
  return { client, seen, server, get };
};

test('each call of a bundle gets its own result or failure, and has its own request id', async () => {
  const { get } = await start();
  const ids = Array.from({ length: 200 }, () => newRequestId());
  const results = await Promise.allSettled([
    get('missing'),
    ...ids.map((id, n) => withRequestId(id, () => get(`order-${n}`))),
  ]);
  expect(results[0]).toMatchObject({ reason: { kind: 'NOT_FOUND', details: { id: 'missing' } } });
  expect(results.slice(1)).toEqual(
    ids.map((id, n) => ({ status: 'fulfilled', value: `order-${n} ${id}` })),
  );
});

test('a slow call delays no other of its bundle', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { get } = await start(promise);
  const slow = get('slow');
  await Promise.all([get('a'), get('b')]);
  resolve();
  expect(await slow).toMatch(/^slow/);
});

test('results of 16 MB in one turn arrive, though a message has 8 MiB at most', async () => {
  const { get } = await start();
  const all = await Promise.all(Array.from({ length: 18 }, (_, n) => get(`long-${n}`)));
  expect(all.map(({ length }) => length)).toEqual(all.map(() => 900_000));
});

test('a call in a bundle ends at its own deadline', async () => {
  const { get, seen } = await start();
  const never = get('never', performance.now() + 300);
  const others = Promise.all(['a', 'b'].map((id) => get(id, performance.now() + 1000)));
  await expect(never).rejects.toMatchObject({ kind: 'DEADLINE_EXCEEDED' });
  await expect(others).resolves.toHaveLength(2);
  await until(() => seen.includes('aborted'), { what: 'the handler to see its signal' });
});

test('a call in a bundle has the rights of its own RPC', async () => {
  const { get, seen } = await start(undefined, 'webhooks');
  const results = await Promise.allSettled([get('a'), get('b'), get('c')]);
  expect(results).toMatchObject(
    Array.from({ length: 3 }, () => ({ reason: { kind: 'CALLER_NOT_ALLOWED' } })),
  );
  expect(seen).toEqual([]);
});

/** Sends a bundle as it is. @returns the codes and texts of the results, or the stream's error. */
const sendRaw = async (port: number, methods: readonly string[]) => {
  const client = new Client(
    `ipv4:${host}:${port}`,
    channelCredentials(watchTls(tlsOf('gateway')), serverIdentity('orders', 'partner-api.test')),
    {
      'grpc.ssl_target_name_override': 'orders.partner-api.test',
    },
  );
  closers.push(() => client.close());
  const calls = methods.map((method) => create(BundledCallSchema, { method, timeoutMs: 5000 }));
  const stream = client.makeServerStreamRequest(
    bundleDefinition.path,
    bundleDefinition.requestSerialize,
    bundleDefinition.responseDeserialize,
    create(CallManyRequestSchema, { calls }),
    new Metadata(),
    { deadline: Date.now() + 5000 },
  );
  const results: unknown[] = [];
  stream.on('data', (message: Message & { results: { outcome: unknown }[] }) => {
    results.push(...message.results.map(({ outcome }) => outcome));
  });
  return new Promise<{ results: unknown[]; code?: number }>((resolve) => {
    stream.on('error', ({ code }: ServiceError) => resolve({ results, code }));
    stream.on('end', () => resolve({ results }));
  });
};

test('a server rejects a bundle of more than 64 calls, and one without calls', async () => {
  const { server, seen } = await start();
  const getOrder = 'orders.v1.OrderService/GetOrder';
  for (const count of [0, 65])
    expect(await sendRaw(server.port, Array(count).fill(getOrder))).toEqual({
      results: [],
      code: status.INVALID_ARGUMENT,
    });
  expect(seen).toEqual([]);
  expect((await sendRaw(server.port, Array(64).fill(getOrder))).results).toHaveLength(64);
});

test('a call of an RPC that there is not fails, and no other of its bundle', async () => {
  const { server } = await start();
  const { results } = await sendRaw(server.port, [
    'orders.v1.OrderService/Nothing',
    'orders.v1.OrderService/GetOrder',
  ]);
  expect(results).toMatchObject([
    { case: 'failure', value: { kind: 'INTERNAL' } },
    { case: 'response' },
  ]);
});

test('a server that stops lets the calls of a bundle end', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { client, seen, server } = await start(promise);
  const created = ['slow', 'b'].map((externalId) => client.createOrder({ externalId }));
  await until(() => seen.length === 2, { what: 'both calls at the server' });
  const stopped = server.stop();
  resolve();
  const bodies = (await Promise.all(created)).map(({ body }) => Buffer.from(body).toString());
  expect(bodies).toEqual(['slow', 'b']);
  await stopped;
});
