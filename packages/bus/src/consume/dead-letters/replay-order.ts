import { execute, leastUuid, type Sql } from '@pto/database';
import type { Rejection } from '../rejection.ts';
import type { Source } from '../source.ts';
import { waitingOf } from '../tables.ts';
import { type DeadLetterRow, messageColumns, parkedMessage } from './dead-letter-row.ts';

/** A message's position among the messages with its key. */
export type Place = Pick<DeadLetterRow, 'offset' | 'id'>;

const pageSize = 100;
const beginning: Place = { offset: '-1', id: leastUuid };

/**
 * Returns the first waiting message with the key after the given position: a parked message, or a
 * rejected one that is authentic with the keys configured now. Other rejected messages are skipped.
 */
export const firstWaiting = async (
  sql: Pick<Sql, 'query'>,
  options: {
    source: Source;
    key: string;
    rejection: Rejection | undefined;
    after: Place | undefined;
  },
): Promise<DeadLetterRow | undefined> => {
  const { source, key, rejection } = options;
  for (let after = options.after ?? beginning; ; ) {
    const place = after;
    const rows: DeadLetterRow[] = await execute(
      sql,
      waitingOf(source)
        .select(messageColumns)
        .where('key', '=', key)
        .where(({ eb, refTuple, tuple }) =>
          eb(refTuple('offset', 'id'), '>', tuple(place.offset, place.id)),
        )
        .orderBy('offset')
        .orderBy('id')
        .limit(pageSize),
    );
    const first = rows.find(
      (row) => !row.rejected || rejection?.(parkedMessage(source.topic, row)) === undefined,
    );
    if (first || rows.length < pageSize) return first;
    after = rows.at(-1)!;
  }
};
