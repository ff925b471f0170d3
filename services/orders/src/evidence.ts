import { fromBinary } from '@bufbuild/protobuf';
import type { IncomingMessage } from '@pto/bus';
import {
  bulkStatement,
  type Database,
  execute,
  fragment,
  greatestUuid,
  isUuid,
  leastUuid,
  type Sql,
} from '@pto/database';
import { Failure } from '@pto/errors';
import { levels } from '@pto/moves';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import {
  CustodyEvidenceService,
  type ListHeadsRequest,
  type ListUnreportedEventsRequest,
} from '@pto/proto/orders/v1/commands';
import { implement } from '@pto/rpc';
import { requireUuid } from './rpc/command-metadata.ts';
import { tables } from './schema/tables.ts';

const headTypes = {
  organization_id: 'uuid',
  order_id: 'uuid',
  sequence: 'int',
  hash: 'text',
} as const;

const record = bulkStatement(headTypes, (rows) =>
  tables
    .with(
      (cte) => cte('reported').materialized(),
      (db) =>
        db
          .selectFrom(rows('r'))
          .distinctOn('r.order_id')
          .select(['r.organization_id', 'r.order_id', 'r.sequence', 'r.hash'])
          .orderBy('r.order_id')
          .orderBy('r.sequence', 'desc'),
    )
    .with('head', (db) =>
      db
        .updateTable('orders as o')
        .from('reported as r')
        .set(({ ref }) => ({
          custody_sequence: ref('r.sequence'),
          custody_head_hash: ref('r.hash'),
        }))
        .whereRef('o.organization_id', '=', 'r.organization_id')
        .whereRef('o.id', '=', 'r.order_id')
        .whereRef('o.custody_sequence', '<', 'r.sequence'),
    )
    .deleteFrom('unreported_events as u')
    .using('reported as r')
    .whereRef('u.organization_id', '=', 'r.organization_id')
    .whereRef('u.order_id', '=', 'r.order_id')
    .whereRef('u.sequence', '<=', 'r.sequence'),
);

/**
 * Stores the number and hash of the heads of orders that custody reports, as evidence outside of
 * the ledger's own database (decision 32). A number that is not higher than the stored one does not
 * change the stored head. Removes the events up to the reported number from the table
 * `unreported_events`.
 */
export const recordHeads = async (
  sql: Sql,
  messages: readonly IncomingMessage[],
): Promise<void> => {
  const heads = messages.map(({ value }) => fromBinary(CustodyEventSchema, value));
  const rows = heads.map(({ event, sequence, eventHash }) => ({
    organization_id: event!.organizationId,
    order_id: event!.orderId,
    sequence,
    hash: eventHash,
  }));
  await record(sql, rows);
};

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
 *
 * Orders whose organization has left this cell are evidence as well (`moved_orders`), until they are
 * here again. While an organization arrives from another cell, its ledger may have fewer entries than
 * the source has reported, so the head of an order that is here is no evidence.
 * @throws Failure VALIDATION for more than 1000 ids, or an id that is not a UUID.
 */
const selectHeads = (request: ListHeadsRequest) => {
  const { orderIds } = request;
  if (orderIds.length > pageSizeMax)
    throw new Failure(
      'VALIDATION',
      `order_ids has ${orderIds.length} ids; at most 1000 are allowed.`,
    );
  const ids = orderIds.map((id) => requireUuid(id, 'order_ids'));
  const [after, upTo] = [request.afterOrderId || leastUuid, request.upToOrderId || greatestUuid];
  const limit = ids.length > 0 ? ids.length : pageSizeOf(request);
  const present = tables
    .selectFrom('orders')
    .select(['id', 'organization_id', 'status', 'sequence', 'custody_sequence'])
    .select(['custody_head_hash', fragment<boolean>`true`.as('is_here')])
    .where('sequence', '>', 0)
    .$if(ids.length > 0, (heads) =>
      heads.where(({ eb, fn, val }) => eb('id', '=', fn.any(val(ids)))),
    )
    .$if(ids.length === 0, (heads) => heads.where('id', '>', after).where('id', '<=', upTo))
    .orderBy('id')
    .limit(limit);
  const moved = tables
    .selectFrom('moved_orders')
    .select(['order_id as id', 'organization_id', 'status', 'sequence', 'custody_sequence'])
    .select(['custody_head_hash', fragment<boolean>`false`.as('is_here')])
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('orders as o')
            .select('o.id')
            .whereRef('o.organization_id', '=', 'moved_orders.organization_id')
            .whereRef('o.id', '=', 'moved_orders.order_id'),
        ),
      ),
    )
    .$if(ids.length > 0, (heads) =>
      heads.where(({ eb, fn, val }) => eb('order_id', '=', fn.any(val(ids)))),
    )
    .$if(ids.length === 0, (heads) =>
      heads.where('order_id', '>', after).where('order_id', '<=', upTo),
    )
    .orderBy('order_id')
    .limit(limit);
  const both = tables
    .selectFrom(present.as('present'))
    .selectAll()
    .unionAll(tables.selectFrom(moved.as('moved')).selectAll());
  return tables
    .selectFrom(tables.selectFrom(both.as('both')).selectAll().orderBy('id').limit(limit).as('h'))
    .leftJoin('held_organizations as arriving', (join) =>
      join
        .onRef('arriving.organization_id', '=', 'h.organization_id')
        .on('arriving.level', '=', levels.arriving)
        .on('h.is_here', '=', true),
    )
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('produced_events as p')
          .select(({ fn }) => [
            fn.agg<number[]>('array_agg', ['p.sequence']).orderBy('p.sequence').as('numbers'),
            fn.agg<Buffer[]>('array_agg', ['p.digest']).orderBy('p.sequence').as('digests'),
          ])
          .whereRef('p.organization_id', '=', 'h.organization_id')
          .whereRef('p.order_id', '=', 'h.id')
          .as('produced'),
      (join) => join.onTrue(),
    )
    .select(['h.id as orderId', 'h.status', 'h.sequence', 'numbers', 'digests'])
    .select(({ ref }) => [
      fragment<number>`case when ${ref('arriving.level')} is null
        then ${ref('h.custody_sequence')} else 0 end`.as('custodySequence'),
      fragment<string>`case when ${ref('arriving.level')} is null
        then ${ref('h.custody_head_hash')} else '' end`.as('custodyHeadHash'),
    ])
    .orderBy('h.id');
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
