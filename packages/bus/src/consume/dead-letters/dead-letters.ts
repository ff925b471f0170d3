import { type Database, execute, isoMillis, isUuid, leastUuid, type Sql } from '@pto/database';
import { Failure } from '@pto/errors';
import type { IncomingMessage } from '../../bus.ts';
import { type Rows, type Source, waitingOf } from '../consumer-tables.ts';

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

/** A parked or rejected message, as an operator sees it. */
export interface DeadLetter {
  readonly id: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly key: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly reason: string;
  /** When the message was parked: UTC, in the form YYYY-MM-DDTHH:mm:ss.sssZ. */
  readonly parkedAt: string;
}

/**
 * Lists waiting messages, parked or rejected, after the given id, oldest first.
 * @throws Failure VALIDATION for a malformed id.
 */
export const listDeadLetters = async (
  db: Database,
  source: Source,
  page: { readonly afterId?: string | undefined; readonly limit: number },
): Promise<DeadLetter[]> => {
  const after = page.afterId ?? leastUuid;
  if (!isUuid(after)) throw new Failure('VALIDATION', 'after_id is not an id of a dead letter.');
  const rows = await execute(
    db,
    waitingOf(source)
      .select(['id', 'partition', 'offset', 'key', 'event_id as eventId', 'type as eventType'])
      .select(['reason', 'parked_at as parkedAt'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(page.limit),
  );
  return rows.map((row) => ({ ...row, topic: source.topic, parkedAt: isoMillis(row.parkedAt) }));
};
