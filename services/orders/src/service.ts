import { openArtifacts } from '@pto/artifacts';
import { consume, deadLetterHandlers, inboxDays, openBus } from '@pto/bus';
import { organizationSlots } from '@pto/concurrency';
import { migrate, openDatabase, openFreshReads, rotateDailyPartitions } from '@pto/database';
import type { Service } from '@pto/lifecycle';
import { messageSigner, messageVerifier } from '@pto/message-authentication';
import { requireNotHeld, storeMoveSettings } from '@pto/moves';
import { startRelay } from '@pto/outbox';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import { LocationService } from '@pto/proto/orders/v1/locations';
import { consumerGroups, custodyEventsTopic, orderEventsTopic, readersOf } from '@pto/proto/topics';
import { implement, startConnectServer, startGrpcServer, statusService } from '@pto/rpc';
import type { Telemetry } from '@pto/telemetry';
import { migrations } from '../migrations/index.ts';
import { watchAudits } from './audits.ts';
import { startArtifactExpiry } from './changes/artifact-expiry.ts';
import { startCommandExpiry } from './changes/command-log.ts';
import { startPersonalRetention } from './changes/personal-retention.ts';
import { repeatErasures } from './changes/repeat-erasures.ts';
import { startDueAnnouncements } from './changes/report-expected-time.ts';
import type { OrdersSettings } from './config.ts';
import { evidenceService, recordHeads } from './evidence.ts';
import { openRouter } from './expected-times/router.ts';
import { openFileReader } from './files/file-reader.ts';
import { openGeocoder } from './geocoding/open-geocoder.ts';
import { daysKept, sharedFindReplay } from './idempotency.ts';
import { createLocation } from './locations/create-location.ts';
import { cachedLocations, listLocations } from './locations/locations.ts';
import { moveSettings } from './move-settings.ts';
import { commandService } from './rpc/command-service.ts';
import { orderService } from './rpc/order-service.ts';
import { violationService } from './rpc/violation-service.ts';
import { slotsOfOrganization } from './slots.ts';
import { watchOpenViolations } from './violations.ts';

/** Metrics that `operator status` shows. */
const measured = [
  'outbox_unsent',
  'outbox_oldest_unsent_seconds',
  'bus_consumer_lag',
  'bus_dead_letters',
  'bus_rejected_messages',
  'custody_violations_open',
  'custody_last_audit_seconds',
  'custody_last_audit_violations',
  'custody_last_full_audit_seconds',
  'custody_last_full_audit_violations',
];

/** Starts the orders service from its settings. */
export const startOrders = async (
  settings: OrdersSettings,
  telemetry: Telemetry,
): Promise<Service & { grpcPort: number; connectPort: number }> => {
  const geocoder = openGeocoder(settings);
  const travel = openRouter(settings, telemetry);
  const artifacts = await openArtifacts(settings);
  const files = openFileReader();
  if (settings.migrationDatabaseUrl) await migrate(settings.migrationDatabaseUrl, migrations);
  const db = await openDatabase({ ...settings, url: settings.databaseUrl, telemetry });
  const reads = openFreshReads(db, { ...settings, telemetry });
  const bus = await openBus(settings, telemetry);
  await bus.ensureTopics([
    { name: orderEventsTopic, partitions: 12 },
    { name: custodyEventsTopic, partitions: 12 },
  ]);
  const relay = startRelay({ db, bus, telemetry, readersOf });
  const evidence = await consume(bus, db, {
    group: consumerGroups.evidence,
    topic: custodyEventsTopic,
    telemetry,
    linger: true, // only the auditor reads the heads
    handle: async (messages, tx) => {
      await recordHeads(tx, messages);
      await repeatErasures(tx, messages);
    },
    rejection: messageVerifier({
      sender: 'custody',
      recipient: 'orders',
      keys: settings.custodyKeys,
    }),
  });
  const idempotency = daysKept(settings.idempotencyKeepMs);
  const partitions = rotateDailyPartitions(
    db,
    { outbox: 7, inbox: inboxDays, idempotency },
    telemetry,
  );
  watchOpenViolations(db, telemetry.metrics);
  watchAudits(db, telemetry.metrics);
  const moves = storeMoveSettings(db, await moveSettings(settings), telemetry);
  const expiry = startArtifactExpiry({ db, artifacts }, telemetry);
  const commandExpiry = startCommandExpiry(db, settings.idempotencyKeepMs, telemetry);
  const deps = {
    db,
    reads,
    artifacts,
    files,
    artifactRetentionMs: settings.artifactRetentionMs,
    findLocations: cachedLocations(),
    ...{ geocoder, travel },
    keepMs: settings.idempotencyKeepMs,
    findReplay: sharedFindReplay(db, settings.idempotencyKeepMs),
    // before a call of a geocoder, because the caller of a held organization repeats its own every
    // 100 ms; the gazetteer calls nobody
    requireNotHeld: async (organizationId: string) =>
      settings.geocoder === 'gazetteer' ? undefined : requireNotHeld(db, organizationId),
    cursorKeys: settings.cursorKeys,
    sign: messageSigner('orders', { custody: settings.custodyKeys }),
    wake: relay.wake,
    inSlots: organizationSlots(slotsOfOrganization),
    wakeExpiry: () => expiry.wake(),
  };
  const retention =
    settings.personalRetentionMs > 0
      ? startPersonalRetention(deps, settings.personalRetentionMs, telemetry)
      : null;
  const announcements = startDueAnnouncements(deps, telemetry);
  const shared = { host: settings.host, tls: settings, telemetry };
  const forPartners = orderService(deps);
  const grpc = await startGrpcServer({
    ...shared,
    port: settings.grpcPort,
    implementations: [
      forPartners,
      implement(LocationService, {
        createLocation: (request, call) => createLocation(deps, request, call),
        listLocations: (request) => reads.fresh((sql) => listLocations(sql, request)),
      }),
    ],
  });
  const connect = await startConnectServer({
    ...shared,
    port: settings.connectPort,
    implementations: [
      commandService(deps),
      forPartners, // of which the courier reads the code of a ward's page
      evidenceService(deps),
      violationService(deps),
      implement(DeadLetterService, deadLetterHandlers(evidence)),
      statusService(telemetry.metrics, measured),
    ],
  });
  return {
    grpcPort: grpc.port,
    connectPort: connect.port,
    // the bus is not checked: without it the process responds to calls, and messages wait in the
    // outbox
    checks: { database: () => db.ping(), clock: db.checkClock },
    crashed: bus.crashed,
    stop: async () => {
      await Promise.all([grpc.stop(), connect.stop()]);
      await Promise.all([
        evidence.stop(),
        relay.stop(),
        partitions.stop(),
        retention?.stop(),
        expiry.stop(),
        ...[commandExpiry.stop(), announcements.stop()],
        moves.stop(),
      ]);
      await files.stop();
      artifacts.close();
      await bus.close();
      await reads.close();
      await db.close();
    },
  };
};
