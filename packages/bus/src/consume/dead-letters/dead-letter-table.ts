import { consumerTables } from '../consumer-schema.ts';

/**
 * Statements for a service's migration: the table `dead_letters`, with the messages that the
 * service's consumers could not handle and the messages parked behind these. `copied_at` is null
 * until `<topic>.dlq` contains the copy.
 */
export const deadLetterTable: readonly string[] = [
  `create table dead_letters (
    id uuid primary key,
    consumer text not null,
    topic text not null,
    partition int not null,
    "offset" bigint not null,
    key text not null,
    event_id text not null,
    type text not null,
    traceparent text,
    request_id text,
    value bytea not null,
    reason text not null,
    parked_at timestamptz not null default now(),
    replayed_at timestamptz,
    copied_at timestamptz
  )`,
  // a message is parked once, however often the bus delivers it
  `create unique index dead_letters_delivery
    on dead_letters (consumer, topic, partition, "offset", event_id)`,
  `create index dead_letters_waiting on dead_letters (consumer, topic, key, "offset", id)
    where replayed_at is null`,
  `create index dead_letters_listed on dead_letters (consumer, topic, id)
    where replayed_at is null`,
  `create index dead_letters_uncopied on dead_letters (consumer, topic, id)
    where copied_at is null`,
];

/**
 * Statements for a service's migration after `deadLetterTable`. Messages without proof of origin
 * (decision 55) become rows with `rejected` set; later messages with the same key do not wait
 * behind such rows.
 */
export const rejectedDeadLetters: readonly string[] = [
  'alter table dead_letters add rejected boolean not null default false',
  `create index dead_letters_blocking on dead_letters (consumer, topic, key, "offset", id)
    where replayed_at is null and not rejected`,
  `create index dead_letters_rejected on dead_letters (consumer, topic)
    where replayed_at is null and rejected`,
];

/**
 * Statements for a service's migration after `rejectedDeadLetters`: columns for a message that an
 * operator has discarded. A discarded message no longer waits, so its `replayed_at` is set, like
 * that of a replayed message.
 */
export const discardedDeadLetters: readonly string[] = [
  `alter table dead_letters
    add discarded_by text,
    add discard_reason text,
    add check ((discarded_by is null) = (discard_reason is null)),
    add check (discarded_by is null or replayed_at is not null)`,
];

/** Statements for a service's migration: the table of handled events. */
export const inboxTables: readonly string[] = consumerTables.slice(0, 1);

/** Statements for a service's migration: the table of positions. */
export const consumerPositions: readonly string[] = consumerTables.slice(-1);
