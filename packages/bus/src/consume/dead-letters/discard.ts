import {
  type Database,
  execute,
  fragment,
  insertRows,
  isUuid,
  type Transaction,
} from '@pto/database';
import { type Source, tables, waitingOf } from '../consumer-tables.ts';
import { type DeadLetterRow, waitingLetter } from './dead-letters.ts';
import { lockKey } from './park.ts';

/** The operator who discards a message, and the reason. */
export interface Discard {
  readonly operator: string;
  readonly reason: string;
}

/**
 * Discards a waiting dead letter, parked or rejected, without handling its message. Records the
 * event as handled, so that a later delivery of the event has no effect and is not parked. Does not
 * record the event in three cases: another parked message with the same event waits and can be
 * replayed; the message was rejected, so the genuine event with that id must still be handled; or
 * the event's id is not a UUID. Messages parked behind the discarded message stay parked; the first
 * parked message with the key can be replayed next. When no parked message with the key waits, the
 * consumer handles later messages with the key again.
 * @returns the id of the first parked message with the key that still waits; undefined if there is
 *   none.
 * @throws Failure NOT_FOUND if no message with this id waits.
 */
export const discard = (
  db: Database,
  source: Source,
  id: string,
  by: Discard,
): Promise<string | undefined> =>
  db.transaction(async (tx) => {
    const { key } = await waitingLetter(tx, source, id);
    await lockKey(tx, source, key);
    // read the row again: a replay may have ended before this transaction got the lock
    const row = await waitingLetter(tx, source, id);
    await execute(
      tx,
      tables
        .updateTable('dead_letters')
        .set({
          replayed_at: fragment<string>`now()`,
          discarded_by: by.operator,
          discard_reason: by.reason,
        })
        .where('id', '=', id),
    );
    if (!row.rejected && isUuid(row.event_id)) await countAsHandled(tx, source, row);
    const [next] = await execute(
      tx,
      blocking(source, key).select('id').orderBy('offset').orderBy('id').limit(fragment.lit(1)),
    );
    return next?.id;
  });

/**
 * Selects the waiting messages with the key that later messages must wait behind: the parked
 * messages, not the rejected messages.
 */
const blocking = (source: Source, key: string) =>
  waitingOf(source)
    .where('key', '=', key)
    .where(({ not, ref }) => not(ref('rejected')));

const countAsHandled = async (tx: Transaction, source: Source, row: DeadLetterRow) => {
  const copies = blocking(source, row.key).where('event_id', '=', row.event_id);
  const uncopied = tables.selectNoFrom([]).where(({ exists, not }) => not(exists(copies)));
  await execute(
    tx,
    insertRows(tables, 'inbox', uncopied, () => ({
      consumer: source.group,
      event_id: row.event_id,
    })).onConflict((conflict) => conflict.doNothing()),
  );
};
