import { contentDigest, type EventContent } from '@pto/custody-verifier';
import {
  execute,
  fragment,
  insertAll,
  isUuid,
  leastUuid,
  type Sql,
  type Transaction,
} from '@pto/database';
import { Failure } from '@pto/errors';
import { tables } from '../schema/tables.ts';

const insertProduced = insertAll(tables, 'produced_events');
const insertUnreported = insertAll(tables, 'unreported_events');

/**
 * Stores the digests of events that orders produces, in the transaction of the events, and queues
 * the events as not yet reported by custody (decisions 53 and 55).
 */
export const recordProduced = async (
  tx: Transaction,
  events: readonly EventContent[],
): Promise<void> => {
  const rows = events.map(({ order_id, sequence }) => ({ order_id, sequence }));
  await insertProduced(
    tx.pipelined,
    events.map((event, n) => ({ ...rows[n]!, digest: contentDigest(event) })),
  );
  await insertUnreported(tx.pipelined, rows);
};

/** Position of an event in the list of events sorted by time of production. */
export interface ProductionPlace {
  /** Time as PostgreSQL prints it, with microseconds. */
  readonly producedAt: string;
  readonly orderId: string;
  readonly sequence: number;
}

export interface UnreportedRow extends ProductionPlace {
  /** Milliseconds since the event was produced, by the database's clock; at least 0. */
  readonly ageMs: string;
}

/**
 * Lists events for which custody has not reported an entry, oldest first. A page reads one range of
 * the index `unreported_events_oldest`, so its cost does not depend on the number of events.
 * @param query `after`: the last event of the previous page; `minAgeMs`: minimum age of an event in
 *   milliseconds, younger events are omitted.
 */
export const listUnreported = (
  sql: Sql,
  query: { after: ProductionPlace | undefined; minAgeMs: number; pageSize: number },
): Promise<UnreportedRow[]> =>
  execute(
    sql,
    tables
      .selectFrom('unreported_events')
      .select(({ ref }) => [
        'produced_at as producedAt',
        'order_id as orderId',
        'sequence',
        fragment<string>`greatest(0, floor(extract(epoch from
          clock_timestamp() - ${ref('produced_at')}) * 1000))::bigint`.as('ageMs'),
      ])
      .where('produced_at', '<=', before(query.minAgeMs))
      .where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('produced_at', 'order_id', 'sequence'),
          '>',
          tuple(
            query.after?.producedAt ?? '-infinity',
            query.after?.orderId ?? leastUuid,
            query.after?.sequence ?? 0,
          ),
        ),
      )
      .orderBy('produced_at')
      .orderBy('order_id')
      .orderBy('sequence')
      .limit(query.pageSize),
  );

const before = (ms: number) =>
  fragment<string>`statement_timestamp() - ${ms}::float8 * interval '1 millisecond'`;

const timestamp = /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d){0,2}$/;
const number = /^\d{1,9}$/;

/** Returns the token of the page that begins after this event. Clients must not interpret it. */
export const writeToken = ({ producedAt, orderId, sequence }: ProductionPlace): string =>
  Buffer.from([producedAt, orderId, sequence].join('|')).toString('base64url');

/**
 * Returns the event after which a page begins; undefined for an empty token, the first page.
 * @throws Failure VALIDATION for a text without the form that `writeToken` creates.
 */
export const readToken = (token: string): ProductionPlace | undefined => {
  if (token === '') return undefined;
  const parts = Buffer.from(token, 'base64url').toString().split('|');
  const [producedAt = '', orderId = '', sequence = ''] = parts;
  if (!timestamp.test(producedAt) || !isUuid(orderId) || !number.test(sequence))
    throw new Failure('VALIDATION', 'page_token is not a next_page_token of this RPC.');
  return { producedAt, orderId, sequence: Number(sequence) };
};
