import {
  type Database,
  execute,
  fragment,
  insertRows,
  isUuid,
  type Transaction,
} from '@pto/database';
import { Failure } from '@pto/errors';
import type { Source } from '../source.ts';
import { type Rows, tables, waitingOf } from '../tables.ts';
import { lockKey } from './park.ts';

/** The operator who discards a message, and the reason. */
export interface Discard {
  readonly operator: string;
  readonly reason: string;
}

type Waiting = Pick<Rows['dead_letters'], 'key' | 'event_id' | 'rejected'>;

/**
 * Ends the wait of a parked message without its effect. The event counts as handled, so a later
 * delivery of the event has no effect and parks nothing. There are two exceptions: another parked
 * message has the same event and can still be replayed; or the message was rejected, and the
 * genuine event with that id must be handled. Messages parked behind the discarded one stay parked,
 * and the first of them can then be replayed. When no message with the key is parked, the consumer
 * handles later messages with the key again.
 * @returns the id of the first message with the key that still waits.
 * @throws Failure NOT_FOUND if no message with this id waits.
 */
export const discard = (
  db: Database,
  source: Source,
  id: string,
  by: Discard,
): Promise<string | undefined> =>
  db.transaction(async (tx) => {
    const { key } = await waiting(tx, source, id);
    await lockKey(tx, source, key);
    // a replay may have ended before this transaction got the lock
    const row = await waiting(tx, source, id);
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
 * Selects the waiting messages with the key that block later messages: all except rejected
 * messages.
 */
const blocking = (source: Source, key: string) =>
  waitingOf(source)
    .where('key', '=', key)
    .where(({ not, ref }) => not(ref('rejected')));

const waiting = async (tx: Transaction, source: Source, id: string): Promise<Waiting> => {
  const byId = () => waitingOf(source).where('id', '=', id);
  const [row] = isUuid(id) ? await execute(tx, byId().select(['key', 'event_id', 'rejected'])) : [];
  if (!row) throw new Failure('NOT_FOUND', 'There is no such dead letter waiting.');
  return row;
};

const countAsHandled = async (tx: Transaction, source: Source, row: Waiting) => {
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
