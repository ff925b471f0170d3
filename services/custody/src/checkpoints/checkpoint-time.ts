import { clockTimestamp, execute, isoMillis, type Sql } from '@pto/database';
import { readLines } from '../notes/note-signer.ts';
import { tables } from '../schema/ledger-database.ts';

/**
 * Returns the time for the next checkpoint, `YYYY-MM-DDTHH:mm:ss.sssZ`: the time of the database's
 * clock, which all replicas share, but never earlier than the time of the last checkpoint.
 */
export const nextTime = async (
  sql: Sql,
  last: { readonly note: string } | null,
): Promise<string> => {
  const [row] = await execute(sql, tables.selectNoFrom(clockTimestamp.as('now')));
  const now = isoMillis(row!.now);
  const before = last && readLines(last.note).time;
  return before !== null && before > now ? before : now;
};
