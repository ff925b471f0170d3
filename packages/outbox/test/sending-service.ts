import type { Bus, IncomingMessage, OutgoingMessage } from '@pto/bus';
import { busSettings, openBus } from '@pto/bus';
import { readConfig } from '@pto/config';
import {
  type Database,
  dailyPartitions,
  migrate,
  openDatabase,
  sqlMigration,
  uuidv7,
} from '@pto/database';
import { createTelemetry, type Telemetry } from '@pto/telemetry';
import { testDatabase, uniqueName } from '@pto/testing';
import { addToOutbox, outboxTable, startRelay, topicPartitionsTable } from '../src/index.ts';
import { backlog } from '../src/relay-metrics.ts';

export const silentTelemetry = (): Telemetry =>
  createTelemetry({ service: 'sending', write: () => {} });

export const openSendingDatabase = (url: string, telemetry: Telemetry): Promise<Database> =>
  openDatabase({ url, poolMax: 6, statementTimeoutMs: 3000, lockTimeoutMs: 2000, telemetry });

/** A service with an outbox, on a bus of its own, with a reader that sees all that arrives. */
export const sendingService = async () => {
  const [database, busDatabase] = await Promise.all([testDatabase('sending'), testDatabase('bus')]);
  await migrate(database.ownerUrl, [
    sqlMigration('20261121000000_sending', [
      ...outboxTable,
      ...topicPartitionsTable,
      ...dailyPartitions({ outbox: 'sent_at is null' }),
    ]),
  ]);
  const settings = readConfig(busSettings, {
    BUS_DATABASE_URL: busDatabase.serviceUrl,
    BUS_MIGRATION_DATABASE_URL: busDatabase.ownerUrl,
  }).settings;
  const telemetry = silentTelemetry();
  const db = await openSendingDatabase(database.serviceUrl, telemetry);
  const bus = await openBus(settings, telemetry);
  const topic = uniqueName('topic');
  await bus.ensureTopics([{ name: topic, partitions: 4 }]);
  const arrived: IncomingMessage[] = [];
  await bus.subscribe({
    group: 'reader',
    topic,
    handle: async (batch) => {
      arrived.push(...batch);
    },
  });
  const message = (key: string, n: number): OutgoingMessage => ({
    topic,
    key,
    id: uuidv7(),
    type: 'numbered',
    value: Buffer.from(`${n}`),
  });
  return {
    database,
    db,
    bus,
    busSettings: settings,
    topic,
    telemetry,
    message,
    arrived,
    relay: (on: Partial<Bus> = bus) => {
      const { metrics } = telemetry;
      for (const { name } of metrics.getMetricsAsArray())
        if (name.startsWith('outbox_')) metrics.removeSingleMetric(name); // of the relay before
      return startRelay({
        db,
        bus: { ...bus, ...on },
        telemetry,
        readersOf: () => ['reader'],
      });
    },
    add: (messages: readonly OutgoingMessage[]) =>
      db.transaction((tx) => addToOutbox(tx, messages)),
    /** The number of unsent rows. */
    depth: async () => (await backlog(db)).unsent,
    /** The numbers of a key in the order of their first arrival. */
    numbers: (key: string): number[] => [
      ...new Set(
        arrived.filter((m) => m.key === key).map(({ value }) => Number(Buffer.from(value))),
      ),
    ],
    stop: async () => {
      await bus.close();
      await db.close();
      await Promise.all([database.drop(), busDatabase.drop()]);
    },
  };
};
