import { keyHash, migrate, openDatabase, type Sql } from '@pto/database';
import { type Telemetry, unreadMetrics } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import type { Bus, OutgoingMessage } from '../bus.ts';
import { createOpenWork } from '../open-work.ts';
import type { BusSettings } from '../settings.ts';
import { busUnavailable } from '../unavailable.ts';
import { postgresBusMigrations } from './bus-migrations.ts';
import { subscribePostgres } from './postgres-subscription.ts';

/** At most four batches of each of three subscriptions, and the other statements. */
const poolMax = 16;
const statementTimeoutMs = 5000;
const sweepEveryMs = 10 * 60_000;

/**
 * Opens the bus on PostgreSQL, for one machine without Kafka. Its statements are text because no
 * service uses its tables, so no entity declares them.
 * @throws Failure SERVICE_UNAVAILABLE if the database is unavailable; with a URL for
 *   migration, also the errors of `migrate`.
 */
export const openPostgresBus = async (
  settings: BusSettings,
  telemetry: Telemetry,
): Promise<Bus> => {
  const { busDatabaseUrl, busMigrationDatabaseUrl, busRetentionMs } = settings;
  if (busMigrationDatabaseUrl !== '') await migrate(busMigrationDatabaseUrl, postgresBusMigrations);
  const db = await openDatabase({
    ...{ url: busDatabaseUrl, poolMax, statementTimeoutMs, lockTimeoutMs: 3000 },
    // the names of a pool's metrics are those of the service's database
    telemetry: { ...telemetry, metrics: unreadMetrics() },
  }).catch(busUnavailable);
  const query: Sql['query'] = (text, parameters) =>
    db.query<never>(text, parameters).catch(busUnavailable);
  const retention = startWorker({
    firstPauseMs: sweepEveryMs * Math.random(),
    unref: true,
    tick: async () => ((await sweepMessages(db, busRetentionMs)) < sweepMax ? sweepEveryMs : 0),
    failed: (err) => {
      telemetry.log.warn({ err }, 'old messages could not be deleted');
      return sweepEveryMs;
    },
  });
  const work = createOpenWork();

  return {
    publish: async (messages) =>
      work.publish(query<never>(appendSql, columnsOf(messages)).then(() => {})),
    subscribe: async (subscribed) =>
      work.subscribe(await subscribePostgres(db, subscribed, telemetry)),
    ensureTopics: async (topics) => {
      // sorted, so that two processes that create the same topics do not deadlock
      for (const { name, partitions } of [...topics].sort((a, b) => (a.name < b.name ? -1 : 1)))
        await query(createTopicSql, [name, partitions]);
    },
    ends: async (topic) => {
      const rows = await query<{ partition: number; end: string }>(endsSql, [topic]);
      return new Map(rows.map(({ partition, end }) => [partition, BigInt(end)]));
    },
    lag: async (group, topic, upTo) => {
      const ends = upTo && JSON.stringify(Object.fromEntries(upTo), asText);
      const [row] = await db.query<{ lag: string }>(lagSql, [group, topic, ends ?? null]);
      return Number(row!.lag);
    },
    crashed: new Promise(() => {}), // no error ends the loops of this bus
    close: async () => {
      await Promise.allSettled([work.end(), retention.stop()]);
      await db.close();
    },
  };
};

const columnsOf = (messages: readonly OutgoingMessage[]): unknown[][] => [
  messages.map((m) => m.topic),
  messages.map((m) => keyHash(m.key)),
  messages.map((m) => m.key),
  messages.map((m) => m.id),
  messages.map((m) => m.type),
  messages.map((m) => m.traceparent ?? null),
  messages.map((m) => m.requestId ?? null),
  messages.map((m) => m.reason ?? null),
  messages.map((m) => Buffer.from(m.value)),
];

/**
 * Appends messages in the given order, all of them or none. Locks the partitions' rows in a fixed
 * order (`locked`), then assigns their offsets (`taken`, which counts the rows of `locked`, so that
 * PostgreSQL takes the locks first): two publishers do not deadlock. The locks last until the
 * commit, so a later offset cannot become visible before an earlier one. A message of an unknown
 * topic has no partition, which the table rejects.
 */
const appendSql = `
with incoming as (
  select g.*, (g.hash % t.partitions)::int as partition
  from unnest($1::text[], $2::int8[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
    $8::text[], $9::bytea[]) with ordinality
    as g (topic, hash, key, event_id, type, traceparent, request_id, reason, value, n)
  left join topics t on t.name = g.topic
), counted as (
  select topic, partition, count(*) as many from incoming group by topic, partition
), locked as (
  select p.topic, p.partition from topic_partitions p join counted using (topic, partition)
  order by p.topic, p.partition for update of p
), taken as (
  update topic_partitions p set next_offset = p.next_offset + c.many
  from counted c, (select count(*) as many from locked) l
  where l.many > 0 and p.topic = c.topic and p.partition = c.partition
  returning p.topic, p.partition, p.next_offset - c.many as first
)
insert into messages (topic, partition, "offset", key, event_id, type, traceparent, request_id,
  reason, value)
select topic, partition,
  first + row_number() over (partition by topic, partition order by n) - 1,
  key, event_id, type, traceparent, request_id, reason, value
from incoming left join taken using (topic, partition)`;

/** Creates a topic. An existing one keeps its number of partitions. */
const createTopicSql = `
with made as (
  insert into topics (name, partitions) values ($1, $2) on conflict do nothing returning *
)
insert into topic_partitions (topic, partition)
select name, generate_series(0, partitions - 1) from made`;

const endsSql = `
select partition, next_offset as end from topic_partitions where topic = $1`;

/** JSON has no bigint. */
const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);

/** $3 ends by partition; null: all messages. */
const lagSql = `
select coalesce(sum(greatest(0, case when $3::jsonb is null then p.next_offset
  else least(p.next_offset, coalesce(($3::jsonb ->> p.partition::text)::bigint, 0)) end
  - coalesce(o.next_offset, 0))), 0) as lag
from topic_partitions p
left join subscriptions s on s.consumer_group = $1 and s.topic = p.topic
left join subscription_offsets o on o.subscription = s.id and o.partition = p.partition
where p.topic = $2`;

/** Maximum number of messages that one sweep deletes. */
const sweepMax = 10_000;

/**
 * Deletes messages that each group of their topic has handled and that are older than the
 * retention. A group that has stopped forever retains its messages; bus_consumer_lag shows this.
 * @returns the number of deleted messages.
 */
export const sweepMessages = async (sql: Sql, retentionMs: number): Promise<number> => {
  const [row] = await sql.query<{ count: number }>(
    `with gone as (delete from messages where (topic, partition, "offset") in (
      select m.topic, m.partition, m."offset" from messages m
      where m.published_at < now() - $1 * interval '1 ms' and m."offset" < all (
        select o.next_offset from subscriptions s
        join subscription_offsets o on o.subscription = s.id
        where s.topic = m.topic and o.partition = m.partition)
      limit ${sweepMax} for update skip locked) returning 1)
    select count(*)::int as count from gone`,
    [retentionMs],
  );
  return row!.count;
};
