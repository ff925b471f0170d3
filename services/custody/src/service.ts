import { consume, deadLetterHandlers, inboxDays, openBus } from '@pto/bus';
import {
  migrate,
  openDatabase,
  openFreshReads,
  rotateDailyPartitions,
  withoutSequentialScans,
} from '@pto/database';
import type { Service } from '@pto/lifecycle';
import { messageSigner, messageVerifier, rejectSharedKeys } from '@pto/message-authentication';
import { startRelay } from '@pto/outbox';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import {
  consumerGroups,
  custodyCheckpointsTopic,
  custodyEventsTopic,
  orderEventsTopic,
  readersOf,
} from '@pto/proto/topics';
import { implement, startConnectServer, startGrpcServer, statusService } from '@pto/rpc';
import type { Telemetry } from '@pto/telemetry';
import { migrations } from '../migrations/index.ts';
import { openAnchor } from './anchor/open-anchor.ts';
import { appendEvents, rejectWhileHalted } from './chain/append.ts';
import { createChainWaiters } from './chain/read-chain.ts';
import { startSequencer } from './checkpoints/sequencer.ts';
import type { CustodySettings } from './config.ts';
import { startFeedWaiters } from './feed/feed-waiters.ts';
import { areCurrentKeys, registerFirstKeys, registerKeysAsOwner } from './log/keys.ts';
import { openSigner } from './log/note-signer.ts';
import { custodyService } from './rpc/custody-service.ts';
import { ledgerService } from './rpc/ledger-service.ts';
import { logService } from './rpc/log-service.ts';
import { ordersEvidence } from './verification/orders-evidence.ts';
import { startSubmitter } from './witness/submitter.ts';

/** Metrics that `operator status` shows. */
const measured = [
  'outbox_unsent',
  'outbox_oldest_unsent_seconds',
  'bus_consumer_lag',
  'bus_dead_letters',
  'bus_rejected_messages',
  'custody_log_checkpoint_age_seconds',
  'custody_log_anchor_age_seconds',
  'custody_log_unanchored_seconds',
  'custody_log_halted',
  'custody_witness_behind_seconds',
];

/** Starts the ledger: one hash chain per order, and the log over all chains. */
export const startCustody = async (
  settings: CustodySettings,
  telemetry: Telemetry,
): Promise<Service & { grpcPort: number; connectPort: number }> => {
  const { ordersKeys, webhooksKeys } = settings;
  rejectSharedKeys(ordersKeys, webhooksKeys);
  const sign = messageSigner('custody', { orders: ordersKeys, webhooks: webhooksKeys });
  if (settings.migrationDatabaseUrl) await migrate(settings.migrationDatabaseUrl, migrations);
  const db = await openDatabase({
    ...settings,
    url: settings.databaseUrl,
    session: withoutSequentialScans,
    telemetry,
  });
  const reads = openFreshReads(db, { ...settings, session: withoutSequentialScans, telemetry });
  const bus = await openBus(settings, telemetry);
  await bus.ensureTopics([
    { name: orderEventsTopic, partitions: 12 },
    { name: custodyEventsTopic, partitions: 12 },
    { name: custodyCheckpointsTopic, partitions: 1 },
  ]);
  const signer = openSigner(settings);
  if (settings.migrationDatabaseUrl)
    await registerKeysAsOwner(settings.migrationDatabaseUrl, signer.vkeys);
  await registerFirstKeys(db, signer.vkeys);
  if (!(await areCurrentKeys(db, signer.vkeys)))
    telemetry.log.error(
      { vkeys: signer.vkeys },
      'the signing keys are not registered: run the migrate Job with them; nothing is signed',
    );
  const origin = settings.logOrigin;
  const anchor = await openAnchor(settings);
  const relay = startRelay({ db, bus, telemetry, readersOf });
  const submitter = await startSubmitter(db, settings.witnesses, telemetry);
  const feedWaiters = startFeedWaiters(db, telemetry);
  const sequencer = startSequencer(
    { db, origin, signer, anchor, intervalMs: settings.checkpointIntervalMs },
    telemetry,
    { placed: feedWaiters.wake, anchored: submitter.wake },
  );
  const ledger = await consume(bus, db, {
    group: consumerGroups.ledger,
    topic: orderEventsTopic,
    telemetry,
    handle: (messages, tx) => appendEvents(messages, tx, sign),
    guard: rejectWhileHalted,
    rejection: messageVerifier({ sender: 'orders', recipient: 'custody', keys: ordersKeys }),
    committed: () => {
      relay.wake();
      sequencer.wake();
    },
  });
  const partitions = rotateDailyPartitions(db, { outbox: 7, inbox: inboxDays }, telemetry);
  const witnesses = settings.witnesses.map(({ key }) => key.vkey);
  const shared = { host: settings.host, tls: settings, telemetry };
  const evidence = ordersEvidence({ urls: settings.ordersUrls, tls: settings });
  const grpc = await startGrpcServer({
    ...shared,
    port: settings.grpcPort,
    implementations: [
      custodyService({
        db,
        reads,
        waitForEntry: createChainWaiters(db),
        feedWaiters,
        origin,
        witnesses,
      }),
      logService({ sql: db, origin, unanchoredSeconds: sequencer.unanchoredSeconds }),
    ],
  });
  const connect = await startConnectServer({
    ...shared,
    port: settings.connectPort,
    implementations: [
      ledgerService({
        db,
        evidence,
        anchor,
        origin,
        witnesses,
        unconfirmed: (violation) =>
          telemetry.log.warn({ ...violation }, 'a second read did not confirm a contradiction'),
      }),
      implement(DeadLetterService, deadLetterHandlers(ledger)),
      statusService(telemetry.metrics, measured),
    ],
  });
  return {
    grpcPort: grpc.port,
    connectPort: connect.port,
    // the bus is not checked: without it the process still answers calls, and messages wait in the
    // outbox
    checks: { database: () => db.ping(), clock: db.checkClock },
    crashed: bus.crashed,
    stop: async () => {
      await feedWaiters.stop(); // before the server waits for its calls
      await Promise.all([grpc.stop(), connect.stop()]);
      await Promise.all([ledger.stop(), sequencer.stop(), partitions.stop(), submitter.stop()]);
      await relay.stop();
      await bus.close();
      anchor.close();
      await reads.close();
      await db.close();
    },
  };
};
