import { leastUuid, type Sql } from '@pto/database';
import { type DeadLetterRow, messageColumns, parkedMessage } from './dead-letter-row.ts';
import type { Rejection } from './rejection.ts';
import type { Source } from './source.ts';

/** A row's position in the order of its key. */
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
    const rows: DeadLetterRow[] = await sql.query<DeadLetterRow>(
      `select ${messageColumns} from dead_letters d
      where consumer = $1 and topic = $2 and key = $3 and replayed_at is null
        and (d."offset", d.id) > ($4::bigint, $5::uuid)
      order by d."offset", d.id limit ${pageSize}`,
      [source.group, source.topic, key, after.offset, after.id],
    );
    const first = rows.find(
      (row) => !row.rejected || rejection?.(parkedMessage(source.topic, row)) === undefined,
    );
    if (first || rows.length < pageSize) return first;
    after = rows.at(-1)!;
  }
};
