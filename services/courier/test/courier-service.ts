import { randomUUID } from 'node:crypto';
import { readConfig } from '@pto/config';
import { CourierService } from '@pto/proto/courier/v1/courier';
import { grpcClient } from '@pto/rpc';
import { createTelemetry } from '@pto/telemetry';
import { type TestDatabase, testDatabase, tlsEnvironment, tlsOf } from '@pto/testing';
import { anOrder, asOwner, bodyOf, startOrdersService } from '../../orders/test/orders-service.ts';
import { settings } from '../src/config.ts';
import { phones } from '../src/moves/phone.ts';
import { startCourier } from '../src/service.ts';

/** Phones of the settings below. */
export const phoneOf = phones(Buffer.alloc(32, 7));

/** The settings of a replica. */
export const environmentOf = (database: TestDatabase, ordersUrl: string) => ({
  DATABASE_URL: database.serviceUrl,
  MIGRATION_DATABASE_URL: database.ownerUrl,
  ENVIRONMENT: 'sandbox',
  COURIER_DEVICE_KEY: Buffer.alloc(32, 7).toString('base64'),
  ORDERS_URL: ordersUrl,
  ...tlsEnvironment('courier'),
  BIND_HOST: '127.0.0.1',
  GRPC_PORT: '0',
  ADMIN_PORT: '0',
});

/** The real courier and the real orders, each with a database of its own. */
export const startCourierService = async () => {
  const orders = await startOrdersService();
  const database = await testDatabase('courier');
  const environment = environmentOf(database, `https://127.0.0.1:${orders.service.connectPort}`);
  /** Starts a replica. */
  const startReplica = async () => {
    const telemetry = createTelemetry({ service: 'courier', write: () => {} });
    const service = await startCourier(readConfig(settings, environment).settings, telemetry);
    const client = grpcClient(CourierService, {
      address: `ipv4:127.0.0.1:${service.grpcPort}`,
      server: 'courier',
      tls: tlsOf('gateway'),
    });
    return {
      client,
      stop: async () => {
        client.close();
        await service.stop();
      },
    };
  };
  const replica = await startReplica();
  return {
    orders,
    database,
    environment,
    courier: replica.client,
    startReplica,
    /** Runs a statement as the owner of the tables. */
    asOwner: (statement: string) => asOwner(database, (owner) => owner.query(statement)),
    /** Creates an order. Returns the ids of RPCs on it. */
    newOrder: async (more: object = {}) => {
      const organizationId = randomUUID();
      const created = await orders.orders.createOrder(anOrder({ organizationId, ...more }));
      return { organizationId, orderId: bodyOf(created).id };
    },
    stop: async () => {
      await replica.stop();
      await orders.stop();
    },
  };
};

export type CourierUnderTest = Awaited<ReturnType<typeof startCourierService>>;
