import {
  bulkInsert,
  execute,
  isUuid,
  lockName,
  type Placeholders,
  type Sql,
  statement,
  type Transaction,
  uuidv7,
} from '@pto/database';
import type { IncomingMessage } from '../../bus.ts';
import { type Source, tables } from '../consumer-tables.ts';

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
  (given: Placeholders<{ group: string; topic: string; keys: readonly string[] }>) =>
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

/** Inserts dead letters, in order. A message that is stored already is not changed. */
export const insertLetters = bulkInsert(tables, 'dead_letters', (insert) =>
  insert.onConflict((conflict) => conflict.doNothing()).returning('id'),
);

/** Returns the row of a message that waits. */
export const letterOf = (
  { group, topic }: Source,
  message: IncomingMessage,
  { reason, rejected }: { reason: string; rejected: boolean },
) => ({
  id: uuidv7(),
  consumer: group,
  topic,
  partition: message.partition,
  offset: message.offset,
  key: message.key,
  event_id: message.id,
  type: message.type,
  traceparent: message.traceparent ?? null,
  request_id: message.requestId ?? null,
  value: message.value,
  reason,
  rejected,
});

/**
 * Stores messages as dead letters, in order. Skips messages that have had their effect or are
 * parked already.
 * @returns the ids of the dead letters that this call has stored.
 */
export const park = async (
  tx: Transaction,
  source: Source,
  messages: readonly IncomingMessage[],
  reason: (message: IncomingMessage) => string,
): Promise<string[]> => {
  if (messages.length === 0) return [];
  const ids = messages.map(({ id }) => id).filter(isUuid);
  const handled = await execute(
    tx,
    tables
      .selectFrom('inbox')
      .select('event_id')
      .where('consumer', '=', source.group)
      .where(({ eb, fn, val }) => eb('event_id', '=', fn.any(val(ids)))),
  );
  const known = new Set(handled.map((row) => row.event_id));
  const letters = messages
    .filter(({ id }) => !known.has(id.toLowerCase()))
    .map((message) => letterOf(source, message, { reason: reason(message), rejected: false }));
  return (await insertLetters(tx, letters)).map(({ id }) => id);
};
