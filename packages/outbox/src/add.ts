import { keyHash, type OutgoingMessage } from '@pto/bus';
import type { Transaction } from '@pto/database';
import { currentRequestId, currentTraceparent } from '@pto/telemetry';
import { outboxShards } from './outbox-table.ts';

/**
 * Writes messages that are published if and when the transaction commits. Trace and request id are
 * those of the work under way, unless a message names its own. Order per key is the order of
 * writing, so whoever writes for a key must hold a lock that others writing for it wait for.
 */
export const addToOutbox = async (
  tx: Transaction,
  messages: readonly OutgoingMessage[],
): Promise<void> => {
  if (messages.length === 0) return;
  const traceparent = currentTraceparent() ?? null;
  const requestId = currentRequestId() ?? null;
  await tx.query(
    `insert into outbox (event_id, shard, topic, key, type, traceparent, request_id, value)
    select event_id, shard, topic, key, type, traceparent, request_id, value
    from unnest($1::uuid[], $2::smallint[], $3::text[], $4::text[], $5::text[], $6::text[],
      $7::text[], $8::bytea[]) with ordinality
      as m (event_id, shard, topic, key, type, traceparent, request_id, value, n)
    order by n`,
    [
      messages.map((m) => m.id),
      messages.map((m) => keyHash(m.key) % outboxShards),
      messages.map((m) => m.topic),
      messages.map((m) => m.key),
      messages.map((m) => m.type),
      messages.map((m) => m.traceparent ?? traceparent),
      messages.map((m) => m.requestId ?? requestId),
      messages.map((m) => Buffer.from(m.value)),
    ],
  );
};
