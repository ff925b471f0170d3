import type { Message } from '@bufbuild/protobuf';
import {
  Server,
  type ServerWritableStream,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { OrderService } from '@pto/proto/orders/v1/orders';
import { BundleService, type CallManyRequest } from '@pto/proto/rpc/v1/bundle';
import { tlsOf } from '@pto/testing';
import { serverCredentials } from '../../src/grpc/grpc-credentials.ts';
import { watchTls } from '../../src/tls.ts';
import { grpcDefinition } from '../../src/wire.ts';
import { clientOf, host } from './order-server.ts';

/** A server of grpc-js alone, so that a test can end a bundle as it likes. */
let server: Server;
let client: ReturnType<typeof clientOf>;
const alone: string[] = [];
const bundled: number[] = [];

const start = async (callMany?: (stream: ServerWritableStream<Message, Message>) => void) => {
  const unary =
    (name: string) =>
    (
      call: { request: { id?: string; externalId?: string } },
      done: (e: null, m: object) => void,
    ) => {
      alone.push(`${name} ${call.request.id ?? call.request.externalId}`);
      done(null, { $typeName: `orders.v1.${name}Response`, body: Buffer.from('alone') });
    };
  server = new Server();
  server.addService(grpcDefinition(OrderService), {
    getOrder: unary('GetOrder'),
    createOrder: unary('CreateOrder'),
  } as unknown as UntypedServiceImplementation);
  if (callMany)
    server.addService(grpcDefinition(BundleService), {
      callMany: (stream: ServerWritableStream<Message, Message>) => {
        bundled.push((stream.request as CallManyRequest).calls.length);
        callMany(stream);
      },
    } as unknown as UntypedServiceImplementation);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${host}:0`, serverCredentials(watchTls(tlsOf('orders'))), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  client = clientOf(port);
};
beforeEach(() => {
  alone.length = 0;
  bundled.length = 0;
});
afterEach(() => {
  client.close();
  server.forceShutdown();
});

const bodies = async (calls: readonly Promise<{ body: Uint8Array }>[]) =>
  (await Promise.all(calls)).map(({ body }) => Buffer.from(body).toString());

test('calls of one turn of the event loop share a message, and a single one goes alone', async () => {
  await start((stream) => stream.end());
  await bodies(Array.from({ length: 70 }, (_, n) => client.getOrder({ id: `${n}` })));
  expect(bundled).toEqual([64, 6]);
  bundled.length = 0;
  await client.getOrder({ id: 'single' });
  expect(bundled).toEqual([]);
});

test('a call with a signal or a request of more than 512 KiB goes alone', async () => {
  await start((stream) => stream.end());
  const { signal } = new AbortController();
  const notes = 'x'.repeat(513 * 1024);
  await Promise.all([
    client.createOrder({ externalId: 'long 1', notes }),
    client.createOrder({ externalId: 'long 2', notes }),
    client.getOrder({ id: 'with signal' }, { signal }),
    client.getOrder({ id: 'with signal' }, { signal }),
  ]);
  expect(bundled).toEqual([]);
});

test('after a lost bundle reads are called again, and what has side effects is not', async () => {
  await start((stream) => stream.emit('error', { code: status.UNAVAILABLE, details: 'lost' }));
  const [read, write] = await Promise.allSettled([
    client.getOrder({ id: 'a' }),
    client.createOrder({ externalId: 'b' }),
  ]);
  expect(read.status).toBe('fulfilled');
  expect(write).toMatchObject({ reason: { kind: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 } });
  expect(alone).toEqual(['GetOrder a']);
});

test('a bundle that ends without a result is a lost one for that call', async () => {
  await start((stream) => stream.end());
  const [first, second] = await Promise.allSettled([
    client.createOrder({ externalId: 'a' }),
    client.createOrder({ externalId: 'b' }),
  ]);
  expect([first, second]).toMatchObject([
    { reason: { kind: 'SERVICE_UNAVAILABLE' } },
    { reason: { kind: 'SERVICE_UNAVAILABLE' } },
  ]);
  expect(alone).toEqual([]);
});

test('calls of a client that is closed meanwhile are rejected', async () => {
  await start((stream) => stream.end());
  const two = [client.getOrder({ id: 'a' }), client.createOrder({ externalId: 'b' })];
  client.close();
  const one = client.getOrder({ id: 'c' });
  for (const { status: outcome } of await Promise.allSettled([...two, one]))
    expect(outcome).toBe('rejected');
  const single = client.getOrder({ id: 'd' });
  await expect(single).rejects.toMatchObject({ kind: 'INTERNAL' });
});

test('a result that is no message rejects its call alone', async () => {
  await start((stream) => {
    const value = Buffer.from('ff', 'hex');
    stream.write({
      $typeName: 'rpc.v1.CallManyResponse',
      results: [0, 1].map((place) => ({
        $typeName: 'rpc.v1.BundledResult',
        place,
        outcome: { case: 'response', value: place === 0 ? value : new Uint8Array() },
      })),
    } as never);
    stream.end();
  });
  const [bad, good] = await Promise.allSettled([
    client.getOrder({ id: 'a' }),
    client.getOrder({ id: 'b' }),
  ]);
  expect(bad).toMatchObject({ reason: { kind: 'INTERNAL' } });
  expect(good.status).toBe('fulfilled');
});
