import { type MigrationList, sqlMigration } from '@pto/database';

/** The tables of the bus on PostgreSQL, in a database of its own. */
export const postgresBusMigrations: MigrationList = [
  sqlMigration('20261121000000_bus', [
    `create table topics (name text primary key, partitions int not null check (partitions > 0))`,
    // A publisher locks the row from the assignment of offsets until its commit, so offsets are in
    // the order of commits.
    `create table topic_partitions (
      topic text not null references topics,
      partition int not null,
      next_offset bigint not null default 0,
      primary key (topic, partition)
    ) with (fillfactor = 50)`,
    `create table messages (
      topic text not null,
      partition int not null,
      "offset" bigint not null,
      key text not null,
      event_id text not null,
      type text not null,
      traceparent text,
      request_id text,
      reason text,
      value bytea not null,
      published_at timestamptz not null default clock_timestamp(),
      primary key (topic, partition, "offset")
    )`,
    // a group on a topic
    `create table subscriptions (
      id int generated always as identity primary key,
      consumer_group text not null,
      topic text not null references topics,
      unique (consumer_group, topic)
    )`,
    // next_offset: offset of the first message that the group has not handled
    `create table subscription_offsets (
      subscription int not null references subscriptions,
      partition int not null,
      next_offset bigint not null,
      primary key (subscription, partition)
    ) with (fillfactor = 50)`,
  ]),
];
