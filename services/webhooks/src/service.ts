import { deadLetterHandlers, inboxDays, openBus } from '@pto/bus';
import { migrate, openDatabase, rotateDailyPartitions } from '@pto/database';
import type { Service } from '@pto/lifecycle';
import { openMailer } from '@pto/mail';
import { storeMoveSettings } from '@pto/moves';
import { AccessService } from '@pto/proto/access/v1/access';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import { custodyEventsTopic } from '@pto/proto/topics';
import {
  connectClient,
  implement,
  startConnectServer,
  startGrpcServer,
  statusService,
} from '@pto/rpc';
import type { Telemetry } from '@pto/telemetry';
import { migrations } from '../migrations/index.ts';
import { type WebhooksSettings, walkIndexes } from './config.ts';
import { repeat, startDeliverer } from './deliverer/deliverer.ts';
import { expireDeleted } from './deliveries/endpoint-addresses.ts';
import { startDispatcher } from './dispatcher/dispatcher.ts';
import { watchClientCertificate } from './egress/client-certificate.ts';
import { openEgress } from './egress/egress.ts';
import { resolveHost } from './egress/resolve-host.ts';
import { trust } from './egress/tls.ts';
import { breakingMetric } from './health/breaking-endpoints.ts';
import { sendWarnings } from './health/send-warnings.ts';
import { expireMoved } from './moves/expire-moved.ts';
import { moveSettings } from './moves/move-settings.ts';
import { requeueQuarantined } from './queue/quarantine.ts';
import { deliveryService } from './rpc/delivery-service.ts';
import { webhookService } from './rpc/webhook-service.ts';
import { checkKeyRing } from './secrets/endpoint-secrets.ts';
import { openSigningKeys } from './secrets/sign.ts';

/**
 * Number of days for which the rows of each table are stored. The table `inbox` has the ids of
 * handled events.
 */
const daysKept = { deliveries: 30, attempts: 30, events: 30, inbox: inboxDays };
const expireEveryMs = 3_600_000;
const requeueEveryMs = 1000;
const warnEveryMs = 1000;

/** Metrics that `operator status` shows. */
const measured = [
  'bus_consumer_lag',
  'bus_dead_letters',
  'bus_rejected_messages',
  'webhook_pending_deliveries',
  'webhook_breaking_endpoints',
  'webhook_oldest_due_seconds',
  'webhook_suspect_deliveries',
  'webhook_refused_deliveries',
];

/** Starts the service: endpoints, handshakes and deliveries. */
export const startWebhooks = async (
  settings: WebhooksSettings,
  telemetry: Telemetry,
): Promise<Service & { grpcPort: number; connectPort: number }> => {
  const { secretKeys: ring, publicBaseUrl } = settings;
  const rehearses = settings.environment === 'sandbox';
  const policy = { allow: settings.egressAllow, only443: settings.environment === 'production' };
  const clientCertificate = watchClientCertificate(settings, telemetry);
  const tls = trust(settings.caFile, clientCertificate);
  const egress = openEgress({ ...settings, policy, tls, resolve: resolveHost });
  if (settings.migrationDatabaseUrl) await migrate(settings.migrationDatabaseUrl, migrations);
  const db = await openDatabase({
    ...settings,
    url: settings.databaseUrl,
    session: walkIndexes,
    telemetry,
  });
  await checkKeyRing(db, ring).catch(async (error) => {
    await db.close();
    throw error;
  });
  const bus = await openBus(settings, telemetry);
  await bus.ensureTopics([{ name: custodyEventsTopic, partitions: 12 }]);
  const signingKeys = openSigningKeys(ring);
  const deliverer = startDeliverer({
    ...settings,
    db,
    egress,
    signingKeys,
    telemetry,
    health: settings,
    rehearses,
  });
  const queued = deliverer.wake;
  const dispatcher = await startDispatcher({
    ...settings,
    ...{ bus, db, telemetry, queued, rehearses },
  });
  const partitions = rotateDailyPartitions(db, daysKept, telemetry);
  const moves = storeMoveSettings(db, moveSettings(settings), telemetry);
  const { log } = telemetry;
  breakingMetric(db, settings, telemetry);
  const access = connectClient(AccessService, {
    urls: settings.accessUrls,
    server: 'operators',
    tls: settings,
  });
  const warning = {
    db,
    mailer: openMailer(settings),
    administrators: async (id: string) =>
      (await access.getOrganization({ id })).organization?.admins ?? [],
    limits: settings,
    publicBaseUrl,
    log,
  };
  const tasks = [
    repeat('requeue from the quarantine', requeueEveryMs, () => requeueQuarantined(db), log),
    repeat('send warnings', warnEveryMs, () => sendWarnings(warning), log),
    repeat('expire moved rows', expireEveryMs, () => expireMoved(db, daysKept.events), log),
    repeat(
      'expire deleted endpoints',
      expireEveryMs,
      () => expireDeleted(db, daysKept.events),
      log,
    ),
  ];
  const deps = {
    ...settings,
    ...{ db, egress, policy, ring, signingKeys, deliverer, log, rehearses },
    health: settings,
    clientCertificate: () => clientCertificate?.current().cert,
  };
  const shared = { host: settings.host, tls: settings, telemetry };
  const grpc = await startGrpcServer({
    ...shared,
    port: settings.grpcPort,
    implementations: [webhookService(deps)],
  });
  const connect = await startConnectServer({
    ...shared,
    port: settings.connectPort,
    implementations: [
      deliveryService(deps),
      implement(DeadLetterService, deadLetterHandlers(dispatcher)),
      statusService(telemetry.metrics, measured),
    ],
  });
  return {
    grpcPort: grpc.port,
    connectPort: connect.port,
    // the bus is not checked: without it the process answers calls and sends queued deliveries
    checks: { database: () => db.ping(), clock: db.checkClock },
    crashed: bus.crashed,
    stop: async () => {
      const serving = Promise.all([grpc.stop(), connect.stop(), dispatcher.stop()]);
      const regular = tasks.map((task) => task.stop());
      await Promise.all([serving, deliverer.stop(), partitions.stop(), moves.stop(), ...regular]);
      await Promise.all([egress.close(), bus.close()]);
      await db.close();
    },
  };
};
