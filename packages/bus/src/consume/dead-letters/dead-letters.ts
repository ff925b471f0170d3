import {
  type Database,
  execute,
  fragment,
  insertFromArrays,
  isoMillis,
  isUuid,
  leastUuid,
  type Sql,
  type Transaction,
} from '@pto/database';
import { Failure } from '@pto/errors';
import type { IncomingMessage } from '../../bus.ts';
import { type Rows, type Source, tables, waitingOf } from '../consumer-tables.ts';
import { lockKey } from './park.ts';

/** The columns from which a parked message is rebuilt. */
export const messageColumns = [
  'id',
  'partition',
  'offset',
  'key',
  'event_id',
  'type',
  'traceparent',
  'request_id',
  'value',
  'reason',
  'rejected',
] as const;

export type DeadLetterRow = Readonly<Pick<Rows['dead_letters'], (typeof messageColumns)[number]>>;

export const parkedMessage = (topic: string, row: DeadLetterRow): IncomingMessage => ({
  topic,
  partition: row.partition,
  offset: row.offset,
  key: row.key,
  id: row.event_id,
  type: row.type,
  traceparent: row.traceparent ?? undefined,
  requestId: row.request_id ?? undefined,
  value: row.value,
});

export const noSuchLetter = (): Failure =>
  new Failure('NOT_FOUND', 'There is no such dead letter waiting.');

/** Returns a dead letter that waits. @throws Failure NOT_FOUND if no message with this id waits. */
export const waitingLetter = async (
  sql: Pick<Sql, 'query'>,
  source: Source,
  id: string,
): Promise<DeadLetterRow> => {
  const byId = waitingOf(source).select(messageColumns).where('id', '=', id);
  const [row] = isUuid(id) ? await execute(sql, byId) : [];
  if (!row) throw noSuchLetter();
  return row;
};

/**
 * Lists waiting messages, parked or rejected, after the given id, oldest first.
 * @throws Failure VALIDATION for a malformed id.
 */
export const listDeadLetters = async (
  db: Database,
  source: Source,
  page: { readonly afterId?: string | undefined; readonly limit: number },
) => {
  const after = page.afterId ?? leastUuid;
  if (!isUuid(after)) throw new Failure('VALIDATION', 'after_id is not an id of a dead letter.');
  const rows = await execute(
    db,
    waitingOf(source)
      .select(['id', 'partition', 'offset', 'key', 'event_id as eventId', 'type as eventType'])
      .select(['reason', 'parked_at as parkedAt', 'rejected'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(page.limit),
  );
  return rows.map((row) => ({ ...row, topic: source.topic, parkedAt: isoMillis(row.parkedAt) }));
};

/** A parked or rejected message, as an operator sees it; `parkedAt` has milliseconds, in UTC. */
export type DeadLetter = Awaited<ReturnType<typeof listDeadLetters>>[number];

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
    insertFromArrays(tables, 'inbox', uncopied, () => ({
      consumer: source.group,
      event_id: row.event_id,
    })).onConflict((conflict) => conflict.doNothing()),
  );
};
