import { keyHash, type OutgoingMessage } from '@pto/bus';
import { byteaArray, intArray, type Transaction, textArray, uuidArray } from '@pto/database';
import { currentRequestId, currentTraceparent } from '@pto/telemetry';
import { outboxShards } from './outbox-table.ts';

/**
 * Writes messages that the relay publishes after the transaction commits. A message without a trace
 * context or request id gets those of the current work. Order per key is the order of the writes,
 * so the transaction must hold a lock that excludes other writers of the key.
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
    select event_id, shard::smallint, topic, key, type, traceparent, request_id, value
    from unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[],
      $7::text[], $8::bytea[]) with ordinality
      as m (event_id, shard, topic, key, type, traceparent, request_id, value, n)
    order by n`,
    [
      uuidArray(messages.map((m) => m.id)),
      intArray(messages.map((m) => keyHash(m.key) % outboxShards)),
      textArray(messages.map((m) => m.topic)),
      textArray(messages.map((m) => m.key)),
      textArray(messages.map((m) => m.type)),
      textArray(messages.map((m) => m.traceparent ?? traceparent)),
      textArray(messages.map((m) => m.requestId ?? requestId)),
      byteaArray(messages.map((m) => m.value)),
    ],
  );
};
