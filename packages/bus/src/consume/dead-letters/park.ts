import {
  type Given,
  isUuid,
  lockName,
  type Sql,
  statement,
  type Transaction,
  uuidv7,
} from '@pto/database';
import type { IncomingMessage } from '../../bus.ts';
import type { Source } from '../source.ts';
import { tables } from '../tables.ts';
import { insertParked } from './store-dead-letters.ts';

/**
 * Returns those of the given keys that have parked messages, each with the id of its first parked
 * message. Later messages with such a key must be parked too. Locks these keys until the
 * transaction ends, so that no replay of them runs meanwhile.
 */
export const blockedKeys = async (
  tx: Transaction,
  source: Source,
  keys: readonly string[],
): Promise<Map<string, string>> => {
  const suspects = await firstParked(tx, source, keys);
  if (suspects.size === 0) return suspects;
  // a replay of these messages may be about to commit: wait for its lock and read again
  for (const key of [...suspects.keys()].sort()) await lockKey(tx, source, key);
  return firstParked(tx, source, [...suspects.keys()]);
};

/**
 * Locks a key's dead letters until the transaction ends. Waits for other transactions that park,
 * replay or discard messages with this key.
 */
export const lockKey = (tx: Transaction, source: Source, key: string): Promise<void> =>
  lockName(tx, JSON.stringify(['dead_letters', source.group, source.topic, key]));

const selectFirst = statement(
  (given: Given<{ group: string; topic: string; keys: readonly string[] }>) =>
    tables
      .selectFrom('dead_letters')
      .distinctOn('key')
      .select(['key', 'id'])
      .where('consumer', '=', given.group)
      .where('topic', '=', given.topic)
      .where(({ eb, fn }) => eb('key', '=', fn.any(given.keys)))
      .where('replayed_at', 'is', null)
      .where(({ not, ref }) => not(ref('rejected')))
      .orderBy('key')
      .orderBy('offset')
      .orderBy('id'),
);

/** Returns those of the given keys that have parked messages, without a lock. */
export const firstParked = async (sql: Sql, source: Source, keys: readonly string[]) => {
  const rows = await selectFirst(sql, { ...source, keys: [...new Set(keys)] });
  return new Map(rows.map((row) => [row.key, row.id]));
};

export interface Parked {
  readonly id: string;
  readonly message: IncomingMessage;
}

/**
 * Stores messages as dead letters, in order. Skips messages that have had their effect or are
 * parked already.
 * @returns the messages that this call has parked.
 */
export const park = async (
  tx: Transaction,
  source: Source,
  messages: readonly IncomingMessage[],
  reason: (message: IncomingMessage) => string,
): Promise<Parked[]> => {
  if (messages.length === 0) return [];
  const parked = messages.map((message) => ({ id: uuidv7(), message }));
  const rows = await insertParked(tx, {
    ...source,
    id: parked.map(({ id }) => id),
    partition: messages.map((m) => m.partition),
    offset: messages.map((m) => m.offset),
    key: messages.map((m) => m.key),
    event_id: messages.map((m) => m.id),
    event_uuid: messages.map((m) => (isUuid(m.id) ? m.id : null)),
    type: messages.map((m) => m.type),
    traceparent: messages.map((m) => m.traceparent ?? null),
    request_id: messages.map((m) => m.requestId ?? null),
    value: messages.map((m) => Buffer.from(m.value)),
    reason: messages.map(reason),
  });
  const kept = new Set(rows.map((row) => row.id));
  return parked.filter(({ id }) => kept.has(id));
};
