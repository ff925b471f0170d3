import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresBusMigrations } from '@pto/bus';
import { readConfig } from '@pto/config';
import { migrate } from '@pto/database';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import { CustodyEvidenceService, OrderCommandService } from '@pto/proto/orders/v1/commands';
import { LocationService } from '@pto/proto/orders/v1/locations';
import { OrderService } from '@pto/proto/orders/v1/orders';
import { ViolationService } from '@pto/proto/orders/v1/violations';
import { connectClient, grpcClient } from '@pto/rpc';
import { createTelemetry } from '@pto/telemetry';
import { openHolds, type TestDatabase, testDatabase, tlsEnvironment, tlsOf } from '@pto/testing';
import { Client } from 'pg';
import { settings } from '../src/config.ts';
import { startOrders } from '../src/service.ts';

export const ordersCustodyKeys = `k1:${Buffer.alloc(32, 11).toString('base64')}`;

/** The real service on a database and a bus of its own, on free ports. */
export const startOrdersService = async (
  more: { database?: TestDatabase; bus?: TestDatabase; environment?: Record<string, string> } = {},
) => {
  const database = more.database ?? (await testDatabase('orders'));
  const bus = more.bus ?? (await testDatabase('bus'));
  await migrate(bus.ownerUrl, postgresBusMigrations);
  const artifactsDir =
    more.environment?.ARTIFACTS_DIR ?? (await mkdtemp(join(tmpdir(), 'artifacts-')));
  const lines: string[] = [];
  const telemetry = createTelemetry({ service: 'orders', write: (line) => lines.push(line) });
  const config = readConfig(settings, {
    DATABASE_URL: database.serviceUrl,
    MIGRATION_DATABASE_URL: database.ownerUrl,
    BUS_DATABASE_URL: bus.serviceUrl,
    ORDERS_CUSTODY_KEYS: ordersCustodyKeys,
    ARTIFACTS_DIR: artifactsDir,
    ARTIFACTS_KEYS: `test:${Buffer.alloc(32, 9).toString('base64')}`,
    ORDERS_CURSOR_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...tlsEnvironment('orders'),
    BIND_HOST: '127.0.0.1',
    GRPC_PORT: '0',
    CONNECT_PORT: '0',
    ...more.environment,
  }).settings;
  const service = await startOrders(config, telemetry);
  const address = `ipv4:127.0.0.1:${service.grpcPort}`;
  const wire = { address, server: 'orders', tls: tlsOf('gateway') } as const;
  const orders = grpcClient(OrderService, wire);
  const locations = grpcClient(LocationService, wire);
  const urls = [`https://127.0.0.1:${service.connectPort}`];
  const asOperator = {
    urls,
    server: 'orders',
    operator: 'An Operator',
    tls: tlsOf('operators'),
  } as const;
  const moves = openHolds(database.ownerUrl, 'orders');
  const asAuditor = { urls, server: 'orders', tls: tlsOf('auditor') } as const;
  return {
    database,
    bus,
    lines,
    telemetry,
    /** What a scrape returns. */
    metrics: () => telemetry.metrics.metrics(),
    service,
    orders,
    locations,
    commands: connectClient(OrderCommandService, asOperator),
    /** The operators service's own calls. */
    ofOperators: connectClient(OrderCommandService, {
      ...{ urls, server: 'orders', tls: tlsOf('operators') },
    }),
    moves,
    deadLetters: connectClient(DeadLetterService, asOperator),
    evidence: connectClient(CustodyEvidenceService, asAuditor),
    violations: {
      ...connectClient(ViolationService, asOperator),
      recordViolations: connectClient(ViolationService, asAuditor).recordViolations,
    },
    /** Names of the stored files of an order. */
    storedFiles: async (orderId: string) =>
      (await readdir(artifactsDir, { recursive: true })).filter((name) => name.includes(orderId)),
    stop: async () => {
      orders.close();
      locations.close();
      await moves.close();
      await service.stop();
    },
  };
};

export type OrdersUnderTest = Awaited<ReturnType<typeof startOrdersService>>;

export const charite = { street: 'Charitéplatz 1', zip: '10117', city: 'Berlin', country: 'DE' };

/** A request that is good as it stands. */
export const anOrder = (more: object = {}) => ({
  organizationId: randomUUID(),
  pickup: { place: { case: 'address' as const, value: charite } },
  dropoff: { place: { case: 'addressText' as const, value: 'Marienplatz 1, 80331 München' } },
  sla: 'EXPRESS',
  pickupWindowStart: '2026-12-01T08:00:00.000Z',
  goodsTypes: ['blood'],
  autoDispatch: true,
  ...more,
});

/** An Idempotency-Key for `anOrder`. @param body stands for the body: another one has another hash. */
export const keyed = (key: string, body = 1) => ({
  idempotency: { key, route: 'POST /orders', bodySha256: Buffer.alloc(32, body) },
});

/** Runs statements as the owner of the tables, who may do what the service may not. */
export const asOwner = async (
  { ownerUrl }: Pick<TestDatabase, 'ownerUrl'>,
  work: (owner: Client) => Promise<unknown>,
): Promise<void> => {
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await work(owner);
  } finally {
    await owner.end();
  }
};

/** An order as partners see it. */
export interface ShownOrder extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly external_id: string | null;
  readonly status: string;
  readonly items: readonly { readonly goods_type: string; readonly seal_id: string | null }[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** The answer's body, parsed. */
export const bodyOf = ({ body }: { body: Uint8Array }): ShownOrder =>
  JSON.parse(Buffer.from(body).toString());

/** The orders of a page, parsed. */
export const ordersOf = ({ bodies }: { bodies: readonly Uint8Array[] }): ShownOrder[] =>
  bodies.map((body) => bodyOf({ body }));
