import { execute, migrate } from '@pto/database';
import type { Telemetry } from '@pto/telemetry';
import type { Bus, SubscribeOptions, Subscription } from '../bus.ts';
import { openBusPool } from './bus-pool.ts';
import { postgresBusMigrations, tables } from './bus-schema.ts';
import { postgresLag } from './offsets.ts';
import { publishToPostgres } from './publish.ts';
import { startRetention } from './retention.ts';
import { subscribeTopic } from './subscription.ts';
import { ensurePostgresTopics, partitionCounts } from './topics.ts';

const anyRow = tables.selectNoFrom(({ lit }) => lit(1).as('one'));

/**
 * Opens the bus on PostgreSQL, for one machine or a small deployment without Kafka.
 * @throws Failure SERVICE_UNAVAILABLE if the database is unavailable; with `migrationUrl`, also the
 *   errors of `migrate`.
 */
export const openPostgresBus = async (
  options: { url: string; migrationUrl: string | undefined; retentionMs: number },
  telemetry: Telemetry,
): Promise<Bus> => {
  if (options.migrationUrl !== undefined) {
    await migrate(options.migrationUrl, postgresBusMigrations);
  }
  const pool = openBusPool(options.url);
  await execute(pool, anyRow).catch(async (error) => {
    await pool.close();
    throw error;
  });
  const retention = startRetention(pool, options.retentionMs, telemetry);
  const partitionsOf = partitionCounts(pool);
  const publishing = new Set<Promise<void>>();
  const subscriptions = new Set<Subscription>();

  const subscribe = async (subscribed: SubscribeOptions): Promise<Subscription> => {
    const opened: Subscription[] = [];
    const stopAll = () => Promise.all(opened.map((each) => each.stop()));
    try {
      for (const topic of subscribed.topics) {
        const count = await partitionsOf(topic);
        opened.push(await subscribeTopic(pool, count, topic, subscribed, telemetry));
      }
    } catch (error) {
      await stopAll();
      throw error;
    }
    const subscription = {
      stop: async () => {
        if (subscriptions.delete(subscription)) await stopAll();
      },
    };
    subscriptions.add(subscription);
    return subscription;
  };

  return {
    publish: async (messages) => {
      const sent = publishToPostgres(pool, partitionsOf, messages);
      publishing.add(sent);
      await sent.finally(() => publishing.delete(sent));
    },
    subscribe,
    needsPositions: false,
    ensureTopics: (topics) => ensurePostgresTopics(pool, topics),
    lag: (group, topic) => postgresLag(pool, group, topic),
    crashed: new Promise(() => {}), // no error ends the loops of this bus
    close: async () => {
      await Promise.allSettled([...subscriptions].map((each) => each.stop()));
      await Promise.allSettled([...publishing, retention.stop()]);
      await pool.close();
    },
  };
};
