import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { startMesh } from '../mesh.ts';
import { orderBody, partner } from '../partner.ts';
import { startReceiver } from '../receiver.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';

/** An OTLP collector that keeps the raw exports; names and ids stand in them as they are. */
const startCollector = async () => {
  const exports: Buffer[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      exports.push(Buffer.concat(parts));
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Exports of a service that hold a span of the trace. */
    of: (service: string) =>
      exports.filter(
        (part) => part.includes(Buffer.from(traceId, 'hex')) && part.includes(service),
      ),
    stop: () => server.close(),
  };
};

test('HTTP, gRPC, PostgreSQL, Kafka and the webhook of one order are one trace', async () => {
  const collector = await startCollector();
  const mesh = await startMesh({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint } });
  try {
    const receiver = await startReceiver(mesh);
    const { call, post } = partner(mesh);
    await post('/webhooks', { url: receiver.url });
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
    const created = await call('POST', '/orders', orderBody(), { traceparent });
    expect(created.status).toBe(201);
    await until(() => receiver.received.length > 0, { what: 'the webhook' });
    const spans: readonly (readonly [string, string])[] = [
      ['gateway', 'POST /orders'],
      ['gateway', 'orders.v1.OrderService/CreateOrder'],
      ['orders', 'orders.v1.OrderService/CreateOrder'],
      ['orders', 'pg.query'],
      ['custody', 'consume orders.order-events.v1'],
      ['webhooks', 'consume custody.custody-events.v1'],
    ];
    for (const [service, span] of spans)
      await until(() => collector.of(service).some((part) => part.includes(span)), {
        deadlineMs: 20_000,
        what: `${span} of ${service} in the trace`,
      });
    await receiver.stop();
  } finally {
    await mesh.stop();
    collector.stop();
    mesh.forget();
  }
}, 120_000);
