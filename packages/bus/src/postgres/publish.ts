import type { OutgoingMessage } from '../bus.ts';
import { keyHash } from '../key-hash.ts';
import type { BusPool } from './bus-pool.ts';

/** Maximum number of messages per statement. Each statement is one commit. */
const statementMax = 1000;

/** Appends the messages in the given order. Each statement appends all of its messages or none. */
export const publishToPostgres = async (
  pool: BusPool,
  partitionsOf: (topic: string) => Promise<number>,
  messages: readonly OutgoingMessage[],
): Promise<void> => {
  for (let at = 0; at < messages.length; at += statementMax) {
    const part = messages.slice(at, at + statementMax);
    const partitions: number[] = [];
    for (const { topic, key } of part) partitions.push(keyHash(key) % (await partitionsOf(topic)));
    await pool.query(appendSql, [
      part.map((m) => m.topic),
      partitions,
      part.map((m) => m.key),
      part.map((m) => m.id),
      part.map((m) => m.type),
      part.map((m) => m.traceparent ?? null),
      part.map((m) => m.requestId ?? null),
      part.map((m) => m.reason ?? null),
      part.map((m) => Buffer.from(m.value)),
    ]);
  }
};

/**
 * Locks the partitions' rows in a fixed order (`locked`), then assigns their offsets (`taken`): an
 * update alone locks in any order, and two publishers would deadlock. The locks last until the
 * commit, so a later offset cannot become visible before an earlier one. The plan is one scan of
 * the arrays, one look-up by key per partition, and one insert. The statement is text because its
 * steps depend on each other: `taken` counts the rows of `locked` in its condition, so that
 * PostgreSQL takes the locks first.
 */
const appendSql = `
with incoming as (
  select * from unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[],
    $7::text[], $8::text[], $9::bytea[]) with ordinality
    as t (topic, partition, key, event_id, type, traceparent, request_id, reason, value, n)
), counted as (
  select topic, partition, count(*) as many from incoming group by topic, partition
), locked as (
  select p.topic, p.partition from topic_partitions p join counted using (topic, partition)
  order by p.topic, p.partition for update of p
), taken as (
  update topic_partitions p set next_offset = p.next_offset + c.many
  from counted c, (select count(*) as many from locked) l
  where l.many > 0 and p.topic = c.topic and p.partition = c.partition
  returning p.topic, p.partition, p.next_offset - c.many as first
)
insert into messages (topic, partition, "offset", key, event_id, type, traceparent, request_id,
  reason, value)
select topic, partition,
  first + row_number() over (partition by topic, partition order by n) - 1,
  key, event_id, type, traceparent, request_id, reason, value
from incoming join taken using (topic, partition)`;
