import { type Database, isUuid, type Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import { lockKey } from './park.ts';
import type { Source } from './source.ts';

/** The operator who discards a message, and the reason. */
export interface Discard {
  readonly operator: string;
  readonly reason: string;
}

interface Waiting {
  readonly key: string;
  readonly event_id: string;
  readonly rejected: boolean;
}

/**
 * Ends the wait of a parked message without its effect. The event counts as handled, so a later
 * delivery of the event has no effect and parks nothing. There are two exceptions: another parked
 * message has the same event and can still be replayed; or the message was rejected, and the
 * genuine event with that id must be handled. Messages parked behind the discarded one stay parked.
 * The first of them can then be replayed. Later messages with the key are handled again when none
 * waits.
 * @returns the id of the first message with the key that still waits.
 * @throws Failure NOT_FOUND
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
    await tx.query(
      `update dead_letters set replayed_at = now(), discarded_by = $2, discard_reason = $3
      where id = $1`,
      [id, by.operator, by.reason],
    );
    if (!row.rejected && isUuid(row.event_id)) await countAsHandled(tx, source, row);
    const [next] = await tx.query<{ id: string }>(
      `select id from dead_letters
      where consumer = $1 and topic = $2 and key = $3 and replayed_at is null and not rejected
      order by "offset", id limit 1`,
      [source.group, source.topic, key],
    );
    return next?.id;
  });

const waiting = async (tx: Transaction, { group, topic }: Source, id: string): Promise<Waiting> => {
  const [row] = isUuid(id)
    ? await tx.query<Waiting>(
        `select key, event_id, rejected from dead_letters
        where id = $3 and consumer = $1 and topic = $2 and replayed_at is null`,
        [group, topic, id],
      )
    : [];
  if (!row) throw new Failure('NOT_FOUND', 'There is no such dead letter waiting.');
  return row;
};

const countAsHandled = async (tx: Transaction, { group, topic }: Source, row: Waiting) => {
  await tx.query(
    `insert into inbox (consumer, event_id) select $1, $4::text::uuid
    where not exists (select from dead_letters
      where consumer = $1 and topic = $2 and key = $3 and event_id = $4
        and replayed_at is null and not rejected)
    on conflict do nothing`,
    [group, topic, row.key, row.event_id],
  );
};
