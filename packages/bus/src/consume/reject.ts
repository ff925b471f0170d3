import { type Transaction, uuidv7 } from '@pto/database';
import type { RejectedMessage } from './rejection.ts';
import type { Source } from './source.ts';

/**
 * Maximum number of rejected messages that wait per consumer and topic. Further ones are only
 * counted.
 */
export const rejectedMax = 10_000;
/**
 * Bytes of the largest value that is stored. A genuine event is far smaller; for a larger value
 * only the reason is stored.
 */
const valueMax = 65_536;
/**
 * Maximum length of a stored key, id or type, longer than any genuine one. An index row must not
 * exceed a third of a page.
 */
const textMax = 255;

/**
 * Stores rejected messages as dead letters that block no key. A genuine message can be replayed
 * after the key that authenticates it is configured. No inbox row is written, because the genuine
 * event with that id must be handled.
 * @returns the number of messages stored, and the number dropped because too many wait.
 */
export const storeRejected = async (
  tx: Transaction,
  { group, topic }: Source,
  rejected: readonly RejectedMessage[],
): Promise<{ stored: number; dropped: number }> => {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::int as count from (
       select from dead_letters
       where consumer = $1 and topic = $2 and replayed_at is null and rejected
       limit ${rejectedMax}) as waiting`,
    [group, topic],
  );
  const kept = rejected.slice(0, rejectedMax - row!.count);
  const dropped = rejected.length - kept.length;
  if (kept.length === 0) return { stored: 0, dropped };
  const messages = kept.map(({ message }) => message);
  const stored = await tx.query(storeSql, [
    group,
    topic,
    kept.map(() => uuidv7()),
    messages.map((m) => m.partition),
    messages.map((m) => m.offset),
    messages.map((m) => short(m.key)),
    messages.map((m) => short(m.id)),
    messages.map((m) => short(m.type)),
    messages.map((m) => short(m.traceparent ?? null)),
    messages.map((m) => short(m.requestId ?? null)),
    messages.map((m) => Buffer.from(m.value.byteLength > valueMax ? [] : m.value)),
    kept.map(({ message, reason }) =>
      message.value.byteLength > valueMax
        ? `${reason} Its ${message.value.byteLength} bytes were not stored.`
        : reason,
    ),
  ]);
  return { stored: stored.length, dropped };
};

const short = <T extends string | null>(text: T): T => text?.slice(0, textMax) as T;

const storeSql = `insert into dead_letters (id, consumer, topic, partition, "offset", key, event_id,
  type, traceparent, request_id, value, reason, rejected)
select d.id, $1, $2, d.partition, d."offset", d.key, d.event_id, d.type, d.traceparent,
  d.request_id, d.value, d.reason, true
from unnest($3::uuid[], $4::int[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::text[],
  $10::text[], $11::bytea[], $12::text[])
  as d (id, partition, "offset", key, event_id, type, traceparent, request_id, value, reason)
on conflict do nothing returning id`;
