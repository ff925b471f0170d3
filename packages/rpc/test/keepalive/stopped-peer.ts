/**
 * A process that a test stops for some seconds: it calls a server of the test, and serves a call of
 * the test. Arguments: the port of the test's server, and the TLS settings as JSON.
 */
import { OrderService } from '@pto/proto/orders/v1/orders';
import { createTelemetry } from '@pto/telemetry';
import { grpcClient, startGrpcServer } from '../../src/index.ts';
import { orderHandlers } from '../bundles/order-server.ts';

const [port, orders, gateway] = process.argv.slice(2) as [string, string, string];
const released = new Promise<void>((resolve) => process.on('message', () => resolve()));

const server = await startGrpcServer({
  host: '127.0.0.1',
  port: 0,
  implementations: [orderHandlers([], released)],
  tls: JSON.parse(orders),
  telemetry: createTelemetry({ service: 'stopped', write: () => {} }),
});
const client = grpcClient(OrderService, {
  address: `ipv4:127.0.0.1:${port}`,
  server: 'orders',
  tls: JSON.parse(gateway),
});
process.on('disconnect', () => process.exit());
process.send!(server.port);
const deadline = Date.now() + 60_000;
const outcome = await client.createOrder({ externalId: 'slow' }, { deadline }).then(
  () => 'responded',
  (error) => error.kind,
);
process.send!(outcome);
