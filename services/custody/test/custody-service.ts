import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, toBinary } from '@bufbuild/protobuf';
import { busSettings, openBus, postgresBusMigrations } from '@pto/bus';
import { readConfig } from '@pto/config';
import { migrate, uuidv7 } from '@pto/database';
import { messageKeys, messageSigner } from '@pto/message-authentication';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import { CustodyService, LedgerService, LogService } from '@pto/proto/custody/v1/custody';
import { type OrderEvent, OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { orderEventsTopic } from '@pto/proto/topics';
import { connectClient, grpcClient, startConnectServer } from '@pto/rpc';
import { createTelemetry } from '@pto/telemetry';
import { type TestDatabase, testDatabase, tlsEnvironment, tlsOf } from '@pto/testing';
import { Client } from 'pg';
import { fileAnchor } from '../src/anchor/file-anchor.ts';
import { settings } from '../src/config.ts';
import { startCustody } from '../src/service.ts';
import { createOrdersStandIn } from './orders-stand-in.ts';

const host = '127.0.0.1';

export const ordersCustodyKeys = `k1:${Buffer.alloc(32, 11).toString('base64')}`;
export const custodyWebhooksKeys = `k1:${Buffer.alloc(32, 12).toString('base64')}`;

/** Signs as orders does. */
export const signAsOrders = messageSigner('orders', {
  custody: messageKeys('ORDERS_CUSTODY_KEYS').parse(ordersCustodyKeys),
});

/** What an operator's client of a custody service takes. */
export const operatorsWire = ({ connectPort }: { connectPort: number }) =>
  ({
    urls: [`https://${host}:${connectPort}`],
    server: 'custody',
    operator: 'An Operator',
    tls: tlsOf('operators'),
  }) as const;

/** The real service on stores of its own; the test stands in for orders' internal port. */
export const startCustodyService = async (
  more: Record<string, string> = {},
  given?: TestDatabase,
) => {
  const folder = mkdtempSync(join(tmpdir(), 'custody-'));
  const anchorFile = join(folder, 'anchor.jsonl');
  const database = given ?? (await testDatabase('custody'));
  const busDatabase = await testDatabase('bus');
  await migrate(busDatabase.ownerUrl, postgresBusMigrations);
  const lines: string[] = [];
  const telemetry = createTelemetry({ service: 'custody', write: (line) => lines.push(line) });
  const standIn = createOrdersStandIn();
  const orders = await startConnectServer({
    host,
    port: 0,
    tls: tlsOf('orders'),
    telemetry,
    implementations: standIn.implementations,
  });
  const environment = {
    DATABASE_URL: database.serviceUrl,
    MIGRATION_DATABASE_URL: database.ownerUrl,
    BUS_DATABASE_URL: busDatabase.serviceUrl,
    CUSTODY_LOG_ORIGIN: 'log.test/custody',
    CUSTODY_SIGNING_KEYS: Buffer.alloc(32, 5).toString('base64'),
    CUSTODY_ANCHOR_FILE: anchorFile,
    CUSTODY_CHECKPOINT_INTERVAL: '100ms',
    ORDERS_CUSTODY_KEYS: ordersCustodyKeys,
    CUSTODY_WEBHOOKS_KEYS: custodyWebhooksKeys,
    ORDERS_URL: `https://${host}:${orders.port}`,
    ...tlsEnvironment('custody'),
    BIND_HOST: host,
    GRPC_PORT: '0',
    CONNECT_PORT: '0',
    ...more,
  };
  const service = await startCustody(readConfig(settings, environment).settings, telemetry);
  const bus = await openBus(
    readConfig(busSettings, environment).settings,
    createTelemetry({ service: 'test', write: () => {} }),
  );
  const address = `ipv4:${host}:${service.grpcPort}`;
  const wire = { address, server: 'custody', tls: tlsOf('gateway') } as const;
  const custody = grpcClient(CustodyService, wire);
  const log = grpcClient(LogService, wire);
  return {
    database,
    known: standIn.known,
    /** What the auditor has recorded. */
    violations: standIn.violations,
    audits: standIn.audits,
    violationStore: standIn.store,
    folder,
    telemetry,
    /** What the service logged, a JSON text each. */
    lines,
    /** Every note of the anchor, the smallest first. */
    anchored: async (): Promise<string[]> => {
      const notes: string[] = [];
      for await (const { note } of fileAnchor(anchorFile).notes('')) notes.push(note);
      return notes;
    },
    /** Makes these lines all that the anchor holds, as somebody does who holds its files. */
    rewriteAnchor: (lines: readonly string[]): void => {
      for (const name of readdirSync(folder))
        if (name.startsWith('anchor.jsonl')) rmSync(join(folder, name));
      writeFileSync(anchorFile, lines.map((line) => `${line}\n`).join(''));
    },
    /** For a second process beside it. */
    environment,
    anchorFile,
    custody,
    log,
    ledger: connectClient(LedgerService, operatorsWire(service)),
    deadLetters: connectClient(DeadLetterService, operatorsWire(service)),
    bus,
    publish: (events: readonly OrderEvent[]) =>
      bus.publish(
        events.map((event) =>
          signAsOrders({
            topic: orderEventsTopic,
            key: event.orderId,
            id: event.id,
            type: event.type,
            value: toBinary(OrderEventSchema, event),
          }),
        ),
      ),
    stop: async () => {
      custody.close();
      log.close();
      await bus.close();
      await service.stop();
      await orders.stop();
      rmSync(folder, { recursive: true });
    },
  };
};

export type CustodyUnderTest = Awaited<ReturnType<typeof startCustodyService>>;

/** Connects as an attacker with all rights in the database, whom no trigger stops. */
export const connectAttacker = async ({ database }: CustodyUnderTest): Promise<Client> => {
  const attacker = new Client({ connectionString: database.superuserUrl });
  await attacker.connect();
  await attacker.query('set session_replication_role = replica');
  return attacker;
};

export const anOrderId = (): string => uuidv7();

/** The events of one order, numbered from 1. */
export const eventsOf = (
  orderId: string,
  organizationId: string,
  count: number,
  payload: object | null = null,
): OrderEvent[] =>
  Array.from({ length: count }, (_, n) =>
    create(OrderEventSchema, {
      id: uuidv7(),
      organizationId,
      orderId,
      sequence: n + 1,
      type: n === 0 ? 'order.submitted' : 'order.updated',
      internalType: n === 0 ? 'ORDER_SUBMITTED' : 'ORDER_UPDATED',
      tsUtc: new Date(Date.UTC(2026, 0, 15, 9, 30, n)).toISOString(),
      payloadJson: payload === null ? '' : JSON.stringify(payload),
      ...(n % 2 === 1 && { position: { lat: 52.520008, lng: 13.404954 } }),
      order: { status: 'SUBMITTED', updatedAt: '2026-01-15T09:30:00.000Z' },
    }),
  );

export const anOrganization = (): string => randomUUID();
