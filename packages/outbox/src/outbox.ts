import { defineEntity, p } from '@mikro-orm/core';
import type { OutgoingMessage } from '@pto/bus';
import { bulkInsert, type Transaction, tablesOf } from '@pto/database';
import { currentRequestId, currentTraceparent } from '@pto/telemetry';

/**
 * Statements for a service's migration. Add `outbox` to the service's `dailyPartitions` as well,
 * with `sent_at is null` as the condition of a row that must not be dropped.
 */
export const outboxTable: readonly string[] = [
  `create table outbox (
    event_id uuid primary key,
    id bigint generated always as identity,
    topic text not null,
    key text not null,
    type text not null,
    traceparent text,
    request_id text,
    value bytea not null,
    sent_at timestamptz
  ) partition by range (event_id)`,
  `create index outbox_unsent on outbox (id) where sent_at is null`,
];

/** A message that is to be sent, or that was sent (`sentAt`). */
export const OutboxEntity = defineEntity({
  name: 'OutboxRow',
  tableName: 'outbox',
  properties: {
    eventId: p.uuid().primary(),
    id: p.bigint('string').autoincrement(),
    topic: p.text(),
    key: p.text(),
    type: p.text(),
    traceparent: p.text().nullable(),
    requestId: p.text().nullable(),
    value: p.blob(),
    sentAt: p.datetime().nullable(),
  },
});

/** Builds statements over the outbox, which is in the database of its service. */
export const tables = tablesOf([OutboxEntity]);

const insert = bulkInsert(tables, 'outbox');

/**
 * Writes messages that the relay publishes after the transaction commits. A message without a trace
 * context or request id gets those of the current work. The relay publishes messages of one key in
 * the order of the writes, so the transaction must hold a lock that excludes other writers of the
 * key.
 */
export const addToOutbox = async (
  tx: Transaction,
  messages: readonly OutgoingMessage[],
): Promise<void> => {
  const traceparent = currentTraceparent() ?? null;
  const requestId = currentRequestId() ?? null;
  await insert(
    tx.pipelined,
    messages.map(({ id, topic, key, type, value, ...message }) => ({
      event_id: id,
      topic,
      key,
      type,
      traceparent: message.traceparent ?? traceparent,
      request_id: message.requestId ?? requestId,
      value,
    })),
  );
};
