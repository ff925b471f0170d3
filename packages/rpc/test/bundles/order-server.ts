/** Servers and clients of OrderService, the calls of which are bundled. */
import { Failure } from '@pto/errors';
import { OrderService } from '@pto/proto/orders/v1/orders';
import { createTelemetry, currentRequestId } from '@pto/telemetry';
import { tlsOf } from '@pto/testing';
import { grpcClient, implement, startGrpcServer } from '../../src/index.ts';

export const host = '127.0.0.1';

/** How `getOrder` answers an id: with its own bytes, and the request's id, unless it is one of these. */
export const orderHandlers = (seen: string[], slow: Promise<unknown>) =>
  implement(OrderService, {
    getOrder: async ({ id }, { signal }) => {
      seen.push(id);
      if (id === 'missing') throw new Failure('NOT_FOUND', 'No.', { details: { id } });
      if (id === 'slow') await slow;
      if (id === 'never')
        await new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            seen.push('aborted');
            reject(new Error('aborted'));
          }),
        );
      return {
        body: Buffer.from(
          id.startsWith('long') ? 'x'.repeat(900_000) : `${id} ${currentRequestId()}`,
        ),
      };
    },
    createOrder: async ({ externalId = '' }) => {
      seen.push(externalId);
      if (externalId === 'slow') await slow;
      return { body: Buffer.from(externalId) };
    },
    getSequence: async () => ({}),
    listOrders: async () => ({}),
    cancelOrder: async () => ({}),
    submitOrder: async () => ({}),
    recordCondition: async () => ({}),
    getHandoverCode: async () => ({}),
    getStatus: async () => ({}),
    getArtifact: async () => ({}),
  });

export const startOrders = (seen: string[], slow: Promise<unknown> = Promise.resolve()) =>
  startGrpcServer({
    host,
    port: 0,
    implementations: [orderHandlers(seen, slow)],
    tls: tlsOf('orders'),
    telemetry: createTelemetry({ service: 'test', write: () => {} }),
  });

export const clientOf = (port: number, process: 'gateway' | 'webhooks' = 'gateway') =>
  grpcClient(OrderService, {
    address: `ipv4:${host}:${port}`,
    server: 'orders',
    tls: tlsOf(process),
  });
