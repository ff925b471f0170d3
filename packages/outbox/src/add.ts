import { keyHash, type OutgoingMessage } from '@pto/bus';
import { insertAll, type Transaction } from '@pto/database';
import { currentRequestId, currentTraceparent } from '@pto/telemetry';
import { outboxShards, tables } from './outbox-table.ts';

const insert = insertAll(tables, 'outbox');

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
      shard: keyHash(key) % outboxShards,
      topic,
      key,
      type,
      traceparent: message.traceparent ?? traceparent,
      request_id: message.requestId ?? requestId,
      value,
    })),
  );
};
