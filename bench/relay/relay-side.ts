import { setTimeout as sleep } from 'node:timers/promises';
import { busSettings, openBus } from '@pto/bus';
import { readConfig } from '@pto/config';
import { dailyPartitions, migrate, sqlMigration } from '@pto/database';
import { addToOutbox, outboxTable, startRelay, topicPartitionsTable } from '@pto/outbox';
import { stores, testDatabase } from '@pto/testing';
import type { Side } from '../measuring/ratio.ts';
import { openSilently, silent } from '../measuring/silent-database.ts';
import { newMessages, type OpenKafka } from './kafkajs-side.ts';

const perTransaction = 500;
const pollMs = 10;

/** The relay: reads unsent rows, publishes them and marks them as sent after the acknowledgment. */
export const relaySide = async (
  { count }: OpenKafka,
  topic: string,
  rows: number,
): Promise<Side & { close(): Promise<void> }> => {
  const database = await testDatabase('relay');
  const partitioned = [
    ...outboxTable,
    ...topicPartitionsTable,
    ...dailyPartitions({ outbox: 'sent_at is null' }),
  ];
  await migrate(database.ownerUrl, [sqlMigration('20261121000000_relay', partitioned)]);
  const telemetry = silent();
  const db = await openSilently(database.serviceUrl, { poolMax: 10, telemetry });
  const environment = { KAFKA_BROKERS: stores().kafka!.join(',') };
  const bus = await openBus(readConfig(busSettings, environment).settings, telemetry);
  let gate = Promise.withResolvers<void>();
  const relay = startRelay({
    db,
    readersOf: () => [],
    bus: {
      ...bus,
      publish: async (batch) => {
        await gate.promise; // a round begins with the complete backlog
        await bus.publish(batch);
      },
    },
    telemetry,
  });
  const hasUnsent = async () =>
    (await db.query('select from outbox where sent_at is null limit 1')).length > 0;
  let sent = 0;
  return {
    name: 'outbox relay',
    prepare: async () => {
      gate = Promise.withResolvers();
      const all = newMessages(topic, rows);
      for (let n = 0; n < all.length; n += perTransaction)
        await db.transaction((tx) => addToOutbox(tx, all.slice(n, n + perTransaction)));
      sent = await count(topic);
    },
    round: async () => {
      gate.resolve();
      relay.wake();
      while (await hasUnsent()) await sleep(pollMs);
      return { operations: rows };
    },
    rows: async () => (await count(topic)) - sent,
    close: async () => {
      gate.resolve();
      await relay.stop();
      await bus.close();
      await db.close();
    },
  };
};
