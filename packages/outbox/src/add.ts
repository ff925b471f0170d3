import { keyHash, type OutgoingMessage } from '@pto/bus';
import {
  type ArrayOf,
  byteaArray,
  type Given,
  insertRows,
  intArray,
  statement,
  type Transaction,
  textArray,
  unnestNumbered,
  uuidArray,
} from '@pto/database';
import { currentRequestId, currentTraceparent } from '@pto/telemetry';
import { outboxShards } from './outbox-table.ts';
import { tables } from './tables.ts';

interface Messages {
  readonly event_id: ArrayOf<string>;
  readonly shard: ArrayOf<number>;
  readonly topic: ArrayOf<string>;
  readonly key: ArrayOf<string>;
  readonly type: ArrayOf<string>;
  readonly traceparent: ArrayOf<string | null>;
  readonly request_id: ArrayOf<string | null>;
  readonly value: ArrayOf<Uint8Array>;
}

const types = {
  event_id: 'uuid',
  shard: 'int',
  topic: 'text',
  key: 'text',
  type: 'text',
  traceparent: 'text',
  request_id: 'text',
  value: 'bytea',
} as const;

const insert = statement((given: Given<Messages>) =>
  insertRows(
    tables,
    'outbox',
    tables.selectFrom(unnestNumbered('m', given, types)).orderBy('m.n'),
    ({ cast, ref }) => ({
      event_id: ref('m.event_id'),
      shard: cast<number>(ref('m.shard'), 'smallint'),
      topic: ref('m.topic'),
      key: ref('m.key'),
      type: ref('m.type'),
      traceparent: ref('m.traceparent'),
      request_id: ref('m.request_id'),
      value: ref('m.value'),
    }),
  ),
);

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
  if (messages.length === 0) return;
  const traceparent = currentTraceparent() ?? null;
  const requestId = currentRequestId() ?? null;
  await insert(tx.pipelined, {
    event_id: uuidArray(messages.map((m) => m.id)),
    shard: intArray(messages.map((m) => keyHash(m.key) % outboxShards)),
    topic: textArray(messages.map((m) => m.topic)),
    key: textArray(messages.map((m) => m.key)),
    type: textArray(messages.map((m) => m.type)),
    traceparent: textArray(messages.map((m) => m.traceparent ?? traceparent)),
    request_id: textArray(messages.map((m) => m.requestId ?? requestId)),
    value: byteaArray(messages.map((m) => m.value)),
  });
};
