import { type Database, execute, fragment, greatestUuid, isUuid, leastUuid } from '@pto/database';
import { Failure } from '@pto/errors';
import {
  CustodyEvidenceService,
  type ListHeadsRequest,
  type ListUnreportedEventsRequest,
} from '@pto/proto/orders/v1/commands';
import { implement } from '@pto/rpc';
import { tables } from '../schema/tables.ts';

const pageSizeDefault = 200;
const pageSizeMax = 1000;
/**
 * Maximum of a request's `min_age_ms`, ten years; a larger value counts as this one. PostgreSQL's
 * intervals cannot represent every unsigned 64-bit number.
 */
const minAgeMaxMs = 10 * 365 * 86_400_000;

/** Serves the heads and events that orders stores, as evidence for custody and the auditor. */
export const evidenceService = ({ db }: { db: Database }) =>
  implement(CustodyEvidenceService, {
    listHeads: async (request) => {
      const rows = await execute(db, selectHeads(request));
      const isFull = request.orderIds.length === 0 && rows.length === pageSizeOf(request);
      return {
        heads: rows.map(({ numbers, digests, ...head }) => ({
          ...head,
          digests: (numbers ?? []).map((sequence, n) => ({ sequence, digest: digests![n]! })),
        })),
        nextOrderId: isFull ? rows.at(-1)!.orderId : '',
      };
    },
    listUnreportedEvents: async (request) => {
      const rows = await execute(db, selectUnreported(request));
      return {
        events: rows.map(({ ageMs, ...event }) => ({ ...event, ageMs: BigInt(ageMs) })),
        nextPageToken: rows.length === pageSizeOf(request) ? writeToken(rows.at(-1)!) : '',
      };
    },
  });

const pageSizeOf = (request: ListHeadsRequest | ListUnreportedEventsRequest): number =>
  Math.min(request.pageSize || pageSizeDefault, pageSizeMax);

/**
 * Selects orders that have at least one event, sorted by order id, each with the head that custody
 * has reported. Its number is 0 before custody's first report. Heads and event digests come from
 * one statement, so from one snapshot.
 */
const selectHeads = (request: ListHeadsRequest) => {
  const { orderIds, afterOrderId, upToOrderId } = request;
  const heads = tables
    .selectFrom('orders')
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('produced_events as p')
          .select(({ fn }) => [
            fn.agg<number[]>('array_agg', ['p.sequence']).orderBy('p.sequence').as('numbers'),
            fn.agg<Buffer[]>('array_agg', ['p.digest']).orderBy('p.sequence').as('digests'),
          ])
          .whereRef('p.order_id', '=', 'orders.id')
          .as('produced'),
      (join) => join.onTrue(),
    )
    .select(['id as orderId', 'status', 'sequence', 'custody_sequence as custodySequence'])
    .select(['custody_head_hash as custodyHeadHash', 'numbers', 'digests'])
    .where('sequence', '>', 0)
    .orderBy('id');
  if (orderIds.length > 0)
    return heads.where(({ eb, fn, val }) => eb('id', '=', fn.any(val(requireUuids(orderIds)))));
  return heads
    .where('id', '>', afterOrderId || leastUuid)
    .where('id', '<=', upToOrderId || greatestUuid)
    .limit(pageSizeOf(request));
};

/** @throws Failure VALIDATION for more than 1000 ids, or an id that is not a UUID. */
const requireUuids = (orderIds: readonly string[]): readonly string[] => {
  if (orderIds.length > pageSizeMax)
    throw new Failure(
      'VALIDATION',
      `order_ids has ${orderIds.length} ids; at most 1000 are allowed.`,
    );
  if (!orderIds.every(isUuid))
    throw new Failure('VALIDATION', 'order_ids has a text that is not an order id.');
  return orderIds;
};

/**
 * Selects events for which custody has not reported an entry, oldest first. A page reads one range
 * of the index `unreported_events_oldest`, so its cost does not depend on the number of events.
 */
const selectUnreported = (request: ListUnreportedEventsRequest) => {
  const after = readToken(request.pageToken);
  const minAgeMs = Math.min(Number(request.minAgeMs), minAgeMaxMs);
  return tables
    .selectFrom('unreported_events')
    .select(({ ref }) => [
      'produced_at as producedAt',
      'order_id as orderId',
      'sequence',
      // by the database's clock, at least 0
      fragment<string>`greatest(0, floor(extract(epoch from
        clock_timestamp() - ${ref('produced_at')}) * 1000))::bigint`.as('ageMs'),
    ])
    .where(
      'produced_at',
      '<=',
      fragment<string>`statement_timestamp() - ${minAgeMs}::float8 * interval '1 millisecond'`,
    )
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('produced_at', 'order_id', 'sequence'),
        '>',
        tuple(after.producedAt, after.orderId, after.sequence),
      ),
    )
    .orderBy('produced_at')
    .orderBy('order_id')
    .orderBy('sequence')
    .limit(pageSizeOf(request));
};

/** Position of an event in the list of events sorted by time of production. */
interface Place {
  /** Time as PostgreSQL prints it, with microseconds. */
  readonly producedAt: string;
  readonly orderId: string;
  readonly sequence: number;
}

const timestamp = /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d){0,2}$/;
const number = /^\d{1,9}$/;

/** Returns the token of the page that begins after this event. Clients must not interpret it. */
const writeToken = ({ producedAt, orderId, sequence }: Place): string =>
  Buffer.from([producedAt, orderId, sequence].join('|')).toString('base64url');

/**
 * Returns the event after which a page begins; for an empty token, the first page, a place before
 * all events.
 * @throws Failure VALIDATION for a text without the form that `writeToken` creates.
 */
const readToken = (token: string): Place => {
  if (token === '') return { producedAt: '-infinity', orderId: leastUuid, sequence: 0 };
  const parts = Buffer.from(token, 'base64url').toString().split('|');
  const [producedAt = '', orderId = '', sequence = ''] = parts;
  if (!timestamp.test(producedAt) || !isUuid(orderId) || !number.test(sequence))
    throw new Failure('VALIDATION', 'page_token is not a next_page_token of this RPC.');
  return { producedAt, orderId, sequence: Number(sequence) };
};
