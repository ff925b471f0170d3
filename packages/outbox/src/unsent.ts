import type { OutgoingMessage } from '@pto/bus';
import {
  type ArrayOf,
  asynchronousCommit,
  type Database,
  fragment,
  type Placeholders,
  statement,
  unnest,
  uuidArray,
} from '@pto/database';
import { tables } from './outbox.ts';

const oldestFirst = 'asc';

const markAndSelect = statement(
  (
    given: Placeholders<{
      sent: ArrayOf<string>;
      lowest: string | null;
      highest: string | null;
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
      .selectFrom('outbox')
      .select(['event_id', 'topic', 'key', 'type', 'traceparent', 'request_id', 'value'])
      .where('sent_at', 'is', null)
      .where('event_id', 'not in', sent()) // this statement does not see its own marks
      .orderBy('id', oldestFirst)
      .limit(given.most);
  },
);

type Row = Awaited<ReturnType<typeof markAndSelect>>[number];

/**
 * Marks rows as sent, and reads up to `most` unsent rows in the order of their writing: one statement.
 * Does not skip ids below that of the last sent row: a row whose transaction commits late has a lower
 * id than rows that were sent before it.
 * @param sent event ids of the rows to mark.
 */
export const markAndRead = async (
  db: Database,
  { sent, most }: { readonly sent: readonly string[]; readonly most: number },
): Promise<readonly OutgoingMessage[]> => {
  const sorted = sent.toSorted();
  const rows = await markAndSelect(db, {
    sent: uuidArray(sent),
    lowest: sorted.at(0) ?? null,
    highest: sorted.at(-1) ?? null,
    most,
  });
  return rows.map(toMessage);
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
