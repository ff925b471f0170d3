import type { OutgoingMessage } from '@pto/bus';
import {
  type ArrayOf,
  asynchronousCommit,
  type Database,
  fragment,
  type Given,
  statement,
  unnest,
  uuidArray,
} from '@pto/database';
import { tables } from './outbox.ts';
import { allSlices, slices } from './shards.ts';

const oldestFirst = 'asc';

/**
 * Whether a row is in a set of slices. Nothing that is stored depends on PostgreSQL's hash of the
 * key: all relays of a database need only evaluate it alike.
 */
const isInSlices = fragment<boolean>`(s.slices = ${fragment.lit(allSlices)} or
  (s.slices >> (hashtext(outbox.key) & ${fragment.lit(slices - 1)})) & 1 = 1)`;

const markAndSelect = statement(
  (
    given: Given<{
      sent: ArrayOf<string>;
      lowest: string | null;
      highest: string | null;
      family: ArrayOf<number>;
      slices: ArrayOf<number>;
      most: number;
    }>,
  ) => {
    const sent = () => tables.selectFrom(unnest('m', given, { sent: 'uuid' })).select('m.sent');
    return tables
      .with(
        'marked',
        () =>
          tables
            .updateTable('outbox')
            .set({ sent_at: fragment<string>`now()` })
            .where('event_id', 'in', sent())
            // tells PostgreSQL which partitions to skip
            .where('event_id', '>=', fragment<string>`(select ${given.lowest}::uuid)`)
            .where('event_id', '<=', fragment<string>`(select ${given.highest}::uuid)`)
            .where(asynchronousCommit), // a lost mark sends the row again
      )
      .selectFrom(unnest('s', given, { family: 'smallint', slices: 'int' }))
      .crossJoinLateral((eb) =>
        eb
          .selectFrom('outbox')
          .select(['shard', 'id', 'event_id', 'topic', 'key', 'type', 'traceparent', 'request_id'])
          .select('value')
          .whereRef('outbox.shard', '=', 's.family')
          .where(isInSlices)
          .where('sent_at', 'is', null)
          .where('event_id', 'not in', sent()) // this statement does not see its own marks
          .orderBy('id', oldestFirst)
          .limit(given.most)
          .as('o'),
      )
      .selectAll('o')
      .orderBy('o.id', oldestFirst);
  },
);

type Row = Awaited<ReturnType<typeof markAndSelect>>[number];

/**
 * Marks rows as sent, and reads the unsent rows of the given slices of families, `most` of each
 * family, in the order of their writing: one statement. Does not skip ids below that of the last
 * sent row: a row whose transaction commits late has a lower id than rows that were sent before it.
 * @param sent event ids of the rows to mark.
 * @param from the set of slices of each family to read.
 * @returns the messages by family, without families that have none.
 */
export const markAndRead = async (
  db: Database,
  {
    sent,
    from,
    most,
  }: { sent: readonly string[]; from: ReadonlyMap<number, number>; most: number },
): Promise<ReadonlyMap<number, readonly OutgoingMessage[]>> => {
  const sorted = sent.toSorted();
  const rows = await markAndSelect(db, {
    sent: uuidArray(sent),
    lowest: sorted.at(0) ?? null,
    highest: sorted.at(-1) ?? null,
    family: [...from.keys()],
    slices: [...from.values()],
    most,
  });
  const byFamily = Map.groupBy(rows, ({ shard }) => shard);
  return new Map([...byFamily].map(([family, found]) => [family, found.map(toMessage)]));
};

const toMessage = (row: Row): OutgoingMessage => ({
  id: row.event_id,
  topic: row.topic,
  key: row.key,
  type: row.type,
  traceparent: row.traceparent ?? undefined,
  requestId: row.request_id ?? undefined,
  value: row.value,
});
