import { randomUUID } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import { busSettings, openBus, postgresBusMigrations } from '@pto/bus';
import { readConfig } from '@pto/config';
import { type Database, migrate, openDatabase, uuidv7 } from '@pto/database';
import { messageKeys, messageSigner } from '@pto/message-authentication';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import { type CustodyEvent, CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import { custodyEventsTopic } from '@pto/proto/topics';
import { DeliveryService, WebhookService } from '@pto/proto/webhooks/v1/webhooks';
import { connectClient, grpcClient } from '@pto/rpc';
import { sealingKeys } from '@pto/sealing';
import { createTelemetry } from '@pto/telemetry';
import { openHolds, type TestDatabase, testDatabase, tlsEnvironment, tlsOf } from '@pto/testing';
import { migrations } from '../migrations/index.ts';
import { settings } from '../src/config.ts';
import { startWebhooks } from '../src/service.ts';

const sealingKey = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
export const sealingRing = sealingKeys('WEBHOOKS_SECRET_KEYS').parse(sealingKey);

export const custodyWebhooksKeys = `k1:${Buffer.alloc(32, 12).toString('base64')}`;

/** Signs as custody does. */
export const signAsCustody = messageSigner('custody', {
  webhooks: messageKeys('CUSTODY_WEBHOOKS_KEYS').parse(custodyWebhooksKeys),
});

/** An empty database, with the superuser's connection. */
export const startDatabase = async () => {
  const database = await testDatabase('webhooks');
  const superuser = await openDatabase({
    url: database.superuserUrl,
    poolMax: 2,
    statementTimeoutMs: 5000,
    lockTimeoutMs: 5000,
    telemetry: createTelemetry({ service: 'test', write: () => {} }),
  });
  return { database, superuser, stop: () => superuser.close() };
};

export type ServiceDatabase = Awaited<ReturnType<typeof startDatabase>>;

/** A database and a bus, on which one or several replicas may be started. */
export const startStores = async () => {
  const { database, superuser } = await startDatabase();
  const busDatabase = await testDatabase('bus');
  await migrate(busDatabase.ownerUrl, postgresBusMigrations);
  const environment = { BUS_DATABASE_URL: busDatabase.serviceUrl };
  const telemetry = createTelemetry({ service: 'test', write: () => {} });
  const bus = await openBus(readConfig(busSettings, environment).settings, telemetry);
  await bus.ensureTopics([{ name: custodyEventsTopic, partitions: 12 }]);
  return {
    database,
    busDatabase,
    superuser,
    /** As they are, without proof of origin. */
    send: bus.publish,
    publish: (events: readonly CustodyEvent[]) =>
      bus.publish(
        events.map((custody) =>
          signAsCustody({
            topic: custodyEventsTopic,
            key: custody.event!.orderId,
            id: custody.event!.id,
            type: custody.event!.type,
            value: toBinary(CustodyEventSchema, custody),
          }),
        ),
      ),
    stop: async () => {
      await superuser.close();
      await bus.close();
    },
  };
};

export type Stores = Awaited<ReturnType<typeof startStores>>;

/** The migrated database as the service's role reaches it, with no service running. */
export const openServiceDatabase = async (
  { database }: Pick<ServiceDatabase, 'database'>,
  more: Partial<Parameters<typeof openDatabase>[0]> = {},
): Promise<Database> => {
  await migrate(database.ownerUrl, migrations);
  return openDatabase({
    url: database.serviceUrl,
    poolMax: 2,
    statementTimeoutMs: 30_000,
    lockTimeoutMs: 30_000,
    telemetry: createTelemetry({ service: 'test', write: () => {} }),
    ...more,
  });
};

/** What a replica is started with. */
export const environmentOf = (
  { database, busDatabase }: { database: TestDatabase; busDatabase: TestDatabase },
  more: Record<string, string> = {},
): Record<string, string> => ({
  DATABASE_URL: database.serviceUrl,
  MIGRATION_DATABASE_URL: database.ownerUrl,
  BUS_DATABASE_URL: busDatabase.serviceUrl,
  ENVIRONMENT: 'sandbox',
  PUBLIC_BASE_URL: 'https://api.example.com/api/partner/v1',
  WEBHOOKS_SECRET_KEYS: sealingKey,
  CUSTODY_WEBHOOKS_KEYS: custodyWebhooksKeys,
  // all receivers of a test are one host
  WEBHOOKS_PROBES_PER_HOST_PER_MINUTE: '1000000',
  WEBHOOKS_EGRESS_ALLOW: '127.0.0.0/8,::1/128',
  ...tlsEnvironment('webhooks'),
  ACCESS_URL: 'https://127.0.0.1:1', // nobody is mailed, unless a test says so
  BIND_HOST: '127.0.0.1',
  GRPC_PORT: '0',
  CONNECT_PORT: '0',
  ADMIN_PORT: '0',
  ...more,
});

/** The real service, and clients as the gateway and the operator have them. */
export const startReplica = async (stores: Stores, more: Record<string, string> = {}) => {
  const lines: string[] = [];
  const telemetry = createTelemetry({
    service: 'webhooks',
    level: 'debug',
    write: (line) => lines.push(line),
  });
  const config = readConfig(settings, environmentOf(stores, more)).settings;
  const service = await startWebhooks(config, telemetry);
  const address = `ipv4:127.0.0.1:${service.grpcPort}`;
  const asOperator = {
    urls: [`https://127.0.0.1:${service.connectPort}`],
    server: 'webhooks',
    operator: 'An Operator',
    tls: tlsOf('operators'),
  } as const;
  const moves = openHolds(stores.database.ownerUrl, 'webhooks');
  let stopped: Promise<void> | undefined;
  const webhooks = grpcClient(WebhookService, {
    address,
    server: 'webhooks',
    tls: tlsOf('gateway'),
  });
  return {
    service,
    lines,
    telemetry,
    webhooks,
    deliveries: connectClient(DeliveryService, asOperator),
    deadLetters: connectClient(DeadLetterService, asOperator),
    moves,
    /** May be called again. */
    stop: () => {
      webhooks.close();
      stopped ??= moves.close().then(service.stop);
      return stopped;
    },
  };
};

export type Replica = Awaited<ReturnType<typeof startReplica>>;

export const anOrganization = (): string => randomUUID();

/** What the ledger announces of one order, numbered from `from`. */
export const eventsOf = (
  organizationId: string,
  count: number,
  { orderId = uuidv7(), from = 1, type }: { orderId?: string; from?: number; type?: string } = {},
): CustodyEvent[] =>
  Array.from({ length: count }, (_, n) => {
    const sequence = from + n;
    const at = new Date(Date.UTC(2026, 0, 15, 9, 30, sequence)).toISOString();
    return create(CustodyEventSchema, {
      sequence,
      eventHash: String(sequence).padStart(64, 'a'),
      prevEventHash: String(sequence - 1).padStart(64, 'a'),
      event: {
        id: uuidv7(),
        organizationId,
        orderId,
        sequence,
        type: type ?? (sequence === 1 ? 'order.submitted' : 'order.updated'),
        internalType: sequence === 1 ? 'ORDER_SUBMITTED' : 'ORDER_UPDATED',
        tsUtc: at,
        order: { externalId: 'PO-7', status: 'SUBMITTED', updatedAt: at },
      },
    });
  });
