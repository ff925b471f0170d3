import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { type Database, openDatabase } from '@pto/database';
import { messageKeys, messageSigner } from '@pto/message-authentication';
import { CreateOrderRequestSchema } from '@pto/proto/orders/v1/orders';
import { createTelemetry } from '@pto/telemetry';
import type { TestDatabase } from '@pto/testing';
import { Client } from 'pg';
import { createAlone, sharedCreate } from '../src/creation/create-order.ts';
import type { Creation } from '../src/creation/locate-stops.ts';
import { cachedLocations } from '../src/locations/locations.ts';
import { anOrder, keyed, ordersCustodyKeys } from './orders-service.ts';

const place = { street: 'Weg 1', zip: '10117', city: 'Berlin', country: 'DE', label: null };
const location = { ...place, lat: null, lng: null };

/** The batches of creations of one process, on a migrated database. */
export const openBatches = async (database: TestDatabase) => {
  const db = await openDatabase({
    url: database.serviceUrl,
    poolMax: 4,
    statementTimeoutMs: 5000,
    lockTimeoutMs: 4000,
    telemetry: createTelemetry({ service: 'test', write: () => {} }),
  });
  const admin = new Client({ connectionString: database.ownerUrl });
  await admin.connect();
  const custody = messageKeys('ORDERS_CUSTODY_KEYS').parse(ordersCustodyKeys);
  const sign = messageSigner('orders', { custody });
  const findLocations = cachedLocations();
  let transactions = 0;
  const counting: Database = {
    ...db,
    transaction: (work) =>
      db.transaction((tx) => {
        transactions++;
        return work(tx);
      }),
  };
  const creation = ({
    organizationId,
    key,
    requestId,
    pickup = { field: 'pickup.address', location },
    ...more
  }: {
    organizationId: string;
    key?: string;
    requestId?: string;
    pickup?: Creation['stops'][0];
    [member: string]: unknown;
  }): Creation => {
    const request = anOrder({ organizationId, ...(key && keyed(key)), ...more });
    const message = create(CreateOrderRequestSchema, request as never);
    return {
      request: message,
      stops: [pickup, { field: 'dropoff.address', location }],
      scope: message.idempotency && {
        organizationId,
        idempotency: message.idempotency,
        keepMs: 86_400_000,
      },
      cause: { requestId, traceparent: undefined },
    };
  };
  return {
    admin,
    create: sharedCreate({ db: counting, sign, findLocations }),
    /** Batches that fail after their transactions. */
    createThenFail: (error: Error) =>
      sharedCreate({
        db: {
          ...db,
          transaction: async (work) => {
            await db.transaction(work);
            throw error;
          },
        },
        sign,
        findLocations,
      }),
    creation,
    /** A new organization that has the location of `creation` and one order. */
    organization: async (): Promise<string> => {
      const organizationId = randomUUID();
      await createAlone(
        { db, sign, findLocations },
        creation({ organizationId }),
        performance.now() + 5000,
      );
      return organizationId;
    },
    /** How many transactions were begun. */
    transactions: () => transactions,
    close: async () => {
      await admin.end();
      await db.close();
    },
  };
};

export type Batches = Awaited<ReturnType<typeof openBatches>>;
