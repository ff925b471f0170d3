import {
  dailyPartitions,
  migrate,
  openDatabase,
  sqlMigration,
  type Transaction,
  uuidv7,
} from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { testDatabase, uniqueName, until } from '@pto/testing';
import {
  type ConsumeOptions,
  type Consumer,
  consume,
  consumerTables,
  type IncomingMessage,
  type OutgoingMessage,
} from '../../src/index.ts';
import { openTestBus } from '../open-test-bus.ts';
import { postgresBusSettings } from '../postgres/postgres-bus-settings.ts';

/**
 * A service with one consumer, whose effect is a row in `effects`: no constraint stops a second one
 * there, so an effect that comes twice shows.
 */
export const consumingService = async () => {
  const database = await testDatabase('consuming');
  await migrate(database.ownerUrl, [
    sqlMigration('20261121000000_consuming', [
      ...consumerTables,
      `create table effects (n bigint generated always as identity, key text, event_id uuid,
        value text)`,
      ...dailyPartitions({ inbox: 'false' }),
    ]),
  ]);
  const log: string[] = [];
  const telemetry = createTelemetry({ service: 'consuming', write: (line) => log.push(line) });
  const db = await openDatabase({
    url: database.serviceUrl,
    poolMax: 6,
    statementTimeoutMs: 3000,
    lockTimeoutMs: 2000,
    telemetry,
  });
  const settings = await postgresBusSettings();
  const bus = await openTestBus(settings, telemetry);
  const topic = uniqueName('topic');
  await bus.ensureTopics([{ name: topic, partitions: 1 }]);
  const group = uniqueName('group');

  return {
    database,
    db,
    bus,
    busSettings: settings,
    topic,
    group,
    telemetry,
    log,
    message: (key: string, value: string, id = uuidv7()): OutgoingMessage => ({
      topic,
      key,
      id,
      type: 'test.happened',
      value: Buffer.from(value),
    }),
    /** The consumer; `before` runs in front of the effect and may refuse it. */
    start: (
      before: (message: IncomingMessage, tx: Transaction) => Promise<void> = async () => {},
      more: Partial<Pick<ConsumeOptions, 'handle' | 'guard' | 'batchMax' | 'rejection'>> = {},
    ): Promise<Consumer> => {
      const { metrics } = telemetry;
      for (const { name } of metrics.getMetricsAsArray())
        if (name.startsWith('bus_')) metrics.removeSingleMetric(name); // of the consumer before
      return consume(bus, db, {
        group,
        topic,
        telemetry,
        rejection: () => undefined,
        handle: async (messages, tx) => {
          for (const message of messages) {
            await before(message, tx);
            await tx.query('insert into effects (key, event_id, value) values ($1, $2, $3)', [
              message.key,
              message.id,
              Buffer.from(message.value).toString(),
            ]);
          }
        },
        ...more,
      });
    },
    /** Values in the order of their effects, e.g. of one key. */
    effects: async (key?: string): Promise<string[]> => {
      const rows = await db.query<{ value: string }>(
        'select value from effects where $1::text is null or key = $1 order by n',
        [key ?? null],
      );
      return rows.map(({ value }) => value);
    },
    /** Waits until the consumer has handled or parked all that was published. */
    consumed: () =>
      until(async () => (await bus.lag(group, topic)) === 0, { what: 'all to be consumed' }),
    stop: async () => {
      await bus.close();
      await db.close();
      await database.drop();
    },
  };
};
