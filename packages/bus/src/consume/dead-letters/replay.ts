import {
  type Database,
  execute,
  fragment,
  leastUuid,
  type Sql,
  type Transaction,
} from '@pto/database';
import { Failure } from '@pto/errors';
import type { Telemetry } from '@pto/telemetry';
import type { IncomingMessage } from '../../bus.ts';
import { type Source, tables, waitingOf } from '../consumer-tables.ts';
import { claim, type Handlers, takeEffect } from '../inbox.ts';
import { publicReason } from '../reason.ts';
import { type Rejection, rejectedReason } from '../rejected-messages.ts';
import {
  type DeadLetterRow,
  messageColumns,
  noSuchLetter,
  parkedMessage,
  waitingLetter,
} from './dead-letters.ts';
import { lockKey } from './park.ts';

export interface Replay {
  /** Ids of the messages that this call has handled, in order, the requested message first. */
  readonly replayedIds: readonly string[];
  /** Id of the first message that failed again; undefined if no message failed. */
  readonly failedId: string | undefined;
  /** Why the message failed; or, if the call reached its limit, which message to replay next. */
  readonly reason: string | undefined;
}

type ReplayOptions = Handlers & { readonly rejection: Rejection };

/** Maximum number of messages that one call handles. Further messages stay parked. */
const replayMax = 200;

/**
 * Handles the requested message again, then the messages parked behind it, each in its own
 * transaction. Stops at the first failure, or after 200 messages. The requested message must be the
 * first waiting message of its key. Each message is authenticated again: if the requested message
 * is still not authentic, it fails; other messages that are still not authentic are skipped.
 * @throws Failure NOT_FOUND if no message with this id waits, or ILLEGAL_TRANSITION for a message
 *   that waits behind another.
 */
export const replay = async (
  db: Database,
  source: Source,
  options: ReplayOptions,
  telemetry: Telemetry,
  requestedId: string,
): Promise<Replay> => {
  const { rejection } = options;
  const wanted = await waitingLetter(db, source, requestedId);
  const { key } = wanted;
  const replayedIds: string[] = [];
  let after: Place | undefined;
  /** The message that is being handled; undefined while no message can cause an error. */
  let current: DeadLetterRow | undefined = wanted;
  try {
    requireAuthentic(parkedMessage(source.topic, wanted), rejection);
    while (replayedIds.length < replayMax) {
      current = undefined;
      after = await db.transaction(async (tx) => {
        await lockKey(tx, source, key);
        const row = await firstWaiting(tx, { source, key, rejection, after });
        if (replayedIds.length === 0) requireFirst(row, wanted);
        current = row;
        if (row) await handleAgain(tx, source, options, row);
        return row;
      });
      if (after === undefined) return { replayedIds, failedId: undefined, reason: undefined };
      replayedIds.push(after.id);
    }
  } catch (error) {
    if (current === undefined) throw error;
    const { id } = current;
    const reason = publicReason(error);
    telemetry.log.warn({ err: error, deadLetter: id }, 'the replay of a dead letter failed');
    await execute(db, tables.updateTable('dead_letters').set({ reason }).where('id', '=', id));
    return { replayedIds, failedId: id, reason };
  }
  const next = await firstWaiting(db, { source, key, rejection, after });
  return {
    replayedIds,
    failedId: undefined,
    reason: next && `more messages are waiting: replay ${next.id} next`,
  };
};

/** Requires an authentic message. @throws Failure VALIDATION for any other message. */
const requireAuthentic = (message: IncomingMessage, rejection: Rejection): void => {
  const reason = rejection(message);
  if (reason !== undefined) throw new Failure('VALIDATION', rejectedReason(reason));
};

const requireFirst = (first: DeadLetterRow | undefined, wanted: DeadLetterRow): void => {
  if (!first) throw noSuchLetter();
  if (first.id === wanted.id) return;
  throw new Failure(
    'ILLEGAL_TRANSITION',
    `Replay ${first.id} first: the requested message waits behind it.`,
    { details: { first: first.id } },
  );
};

const handleAgain = async (
  tx: Transaction,
  source: Source,
  options: ReplayOptions,
  row: DeadLetterRow,
): Promise<void> => {
  const message = parkedMessage(source.topic, row);
  requireAuthentic(message, options.rejection);
  await options.guard?.(tx);
  const fresh = await claim(tx, source.group, [message]);
  await takeEffect(source, options, fresh, tx, true);
  await execute(
    tx,
    tables
      .updateTable('dead_letters')
      .set({ replayed_at: fragment<string>`now()` })
      .where('id', '=', row.id),
  );
};

/** A message's position among the messages with its key. */
type Place = Pick<DeadLetterRow, 'offset' | 'id'>;

const pageSize = 100;
const beginning: Place = { offset: '-1', id: leastUuid };

/**
 * Returns the first waiting message with the key after the given position: a parked message, or a
 * rejected one that is authentic with the keys configured now. Other rejected messages are skipped.
 */
const firstWaiting = async (
  sql: Pick<Sql, 'query'>,
  options: { source: Source; key: string; rejection: Rejection; after: Place | undefined },
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
      (row) => !row.rejected || rejection(parkedMessage(source.topic, row)) === undefined,
    );
    if (first || rows.length < pageSize) return first;
    after = rows.at(-1)!;
  }
};
