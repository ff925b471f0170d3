import type { BusPool } from './bus-pool.ts';

/** Messages to append: an array for each column. */
export interface Appended {
  readonly topics: readonly string[];
  readonly partitions: readonly number[];
  readonly keys: readonly string[];
  readonly eventIds: readonly string[];
  readonly types: readonly string[];
  readonly traceparents: readonly (string | null)[];
  readonly requestIds: readonly (string | null)[];
  readonly reasons: readonly (string | null)[];
  readonly values: readonly Buffer[];
}

/** Appends messages to their partitions, in the given order. */
export const appendMessages = async (pool: BusPool, given: Appended): Promise<void> => {
  await pool.query(appendSql, [
    given.topics,
    given.partitions,
    given.keys,
    given.eventIds,
    given.types,
    given.traceparents,
    given.requestIds,
    given.reasons,
    given.values,
  ]);
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
