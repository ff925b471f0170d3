import { isUuid, type Transaction, uuidv7 } from '@pto/database';
import type { IncomingMessage } from '../bus.ts';

import type { Source } from './source.ts';

/**
 * Returns those of the given keys that have parked messages, each with the id of its first parked
 * message. Later messages with such a key must wait. Locks the returned keys against a replay until
 * the transaction ends.
 */
export const blockedKeys = async (
  tx: Transaction,
  source: Source,
  keys: readonly string[],
): Promise<Map<string, string>> => {
  const suspects = await firstParked(tx, source, keys);
  if (suspects.size === 0) return suspects;
  // a replay may be about to commit: wait for it and read again
  for (const key of [...suspects.keys()].sort()) await lockKey(tx, source, key);
  return firstParked(tx, source, [...suspects.keys()]);
};

/** Waits for other transactions that park or replay messages with this key. */
export const lockKey = async (tx: Transaction, source: Source, key: string): Promise<void> => {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    JSON.stringify(['dead_letters', source.group, source.topic, key]),
  ]);
};

const firstParked = async (tx: Transaction, source: Source, keys: readonly string[]) => {
  const rows = await tx.query<{ key: string; id: string }>(
    `select distinct on (key) key, id from dead_letters
    where consumer = $1 and topic = $2 and key = any($3::text[])
      and replayed_at is null and not rejected
    order by key, "offset", id`,
    [source.group, source.topic, [...new Set(keys)]],
  );
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
  const rows = await tx.query<{ id: string }>(parkSql, [
    source.group,
    source.topic,
    parked.map(({ id }) => id),
    messages.map((m) => m.partition),
    messages.map((m) => m.offset),
    messages.map((m) => m.key),
    messages.map((m) => m.id),
    messages.map((m) => (isUuid(m.id) ? m.id : null)),
    messages.map((m) => m.type),
    messages.map((m) => m.traceparent ?? null),
    messages.map((m) => m.requestId ?? null),
    messages.map((m) => Buffer.from(m.value)),
    messages.map(reason),
  ]);
  const kept = new Set(rows.map((row) => row.id));
  return parked.filter(({ id }) => kept.has(id));
};

const parkSql = `insert into dead_letters (id, consumer, topic, partition, "offset", key, event_id,
  type, traceparent, request_id, value, reason)
select d.id, $1, $2, d.partition, d."offset", d.key, d.event_id, d.type, d.traceparent,
  d.request_id, d.value, d.reason
from unnest($3::uuid[], $4::int[], $5::bigint[], $6::text[], $7::text[], $8::uuid[], $9::text[],
  $10::text[], $11::text[], $12::bytea[], $13::text[])
  as d (id, partition, "offset", key, event_id, event_uuid, type, traceparent, request_id, value,
    reason)
where not exists (select from inbox i where i.consumer = $1 and i.event_id = d.event_uuid)
on conflict do nothing returning id`;
