import { type Database, isUuid, type Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import type { Telemetry } from '@pto/telemetry';
import { type DeadLetterRow, messageColumns, parkedMessage } from './dead-letter-row.ts';
import { type Handlers, takeEffect } from './effect.ts';
import { claim } from './inbox.ts';
import { lockKey } from './park.ts';
import { publicReason } from './reason.ts';
import type { Source } from './source.ts';

export interface Replay {
  /** Handled now, in order, the asked one first. */
  readonly replayedIds: readonly string[];
  /** The first that failed again. */
  readonly failedId: string | undefined;
  /** Why it failed, or which one is to be asked for next when the call's bound was reached. */
  readonly reason: string | undefined;
}

/** Most messages of one call; the rest wait for the next. */
const replayMax = 200;

/**
 * Handles the asked message again, then those parked behind it, each in a transaction of its own,
 * and stops at the first that fails. The first of a key must be asked for first.
 * @throws Failure NOT_FOUND, or ILLEGAL_TRANSITION for one that waits behind another.
 */
export const replay = async (
  db: Database,
  source: Source,
  handlers: Pick<Handlers, 'handle'>,
  telemetry: Telemetry,
  asked: string,
): Promise<Replay> => {
  const key = await keyOf(db, source, asked);
  const replayedIds: string[] = [];
  for (let wanted: string | undefined = asked; replayedIds.length < replayMax; wanted = undefined) {
    let current: string | undefined;
    try {
      current = await db.transaction(async (tx) => {
        await lockKey(tx, source, key);
        const row = await firstOf(tx, source, key, wanted);
        current = row?.id;
        if (row) await handleAgain(tx, source, handlers, row);
        return row?.id;
      });
    } catch (error) {
      if (current === undefined) throw error; // not a message's failure
      const reason = publicReason(error);
      telemetry.log.warn({ err: error, deadLetter: current }, 'a dead letter failed again');
      await db.query('update dead_letters set reason = $2 where id = $1', [current, reason]);
      return { replayedIds, failedId: current, reason };
    }
    if (current === undefined) return { replayedIds, failedId: undefined, reason: undefined };
    replayedIds.push(current);
  }
  const next = await firstOf(db, source, key, undefined);
  return {
    replayedIds,
    failedId: undefined,
    reason: next && `more are waiting: replay ${next.id} next`,
  };
};

const notFound = () => new Failure('NOT_FOUND', 'There is no such dead letter waiting.');

const keyOf = async (db: Database, source: Source, id: string): Promise<string> => {
  if (!isUuid(id)) throw notFound();
  const [row] = await db.query<{ key: string }>(
    `select key from dead_letters
    where id = $3 and consumer = $1 and topic = $2 and replayed_at is null`,
    [source.group, source.topic, id],
  );
  if (!row) throw notFound();
  return row.key;
};

/** The first that waits with this key; it must be the wanted one, if any is wanted. */
const firstOf = async (
  sql: Pick<Transaction, 'query'>,
  source: Source,
  key: string,
  wanted: string | undefined,
): Promise<DeadLetterRow | undefined> => {
  const [row] = await sql.query<DeadLetterRow>(
    `select ${messageColumns} from dead_letters d
    where consumer = $1 and topic = $2 and key = $3 and replayed_at is null
    order by d."offset", d.id limit 1`,
    [source.group, source.topic, key],
  );
  if (wanted === undefined || row?.id === wanted.toLowerCase()) return row;
  if (!row) throw notFound();
  throw new Failure('ILLEGAL_TRANSITION', `Replay ${row.id} first: this one waits behind it.`, {
    details: { first: row.id },
  });
};

const handleAgain = async (
  tx: Transaction,
  source: Source,
  handlers: Pick<Handlers, 'handle'>,
  row: DeadLetterRow,
): Promise<void> => {
  const fresh = await claim(tx, source.group, [parkedMessage(source.topic, row)]);
  await takeEffect(source, handlers, fresh, tx);
  await tx.query('update dead_letters set replayed_at = now() where id = $1', [row.id]);
};
