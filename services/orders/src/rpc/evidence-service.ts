import { type Database, isUuid } from '@pto/database';
import { Failure } from '@pto/errors';
import {
  CustodyEvidenceService,
  type ListHeadsRequest,
  type ListUnreportedEventsRequest,
} from '@pto/proto/orders/v1/commands';
import { implement } from '@pto/rpc';
import { type HeadRow, listHeads } from '../evidence/heads.ts';
import { listUnreported, readToken, writeToken } from '../evidence/produced-events.ts';

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
      const orderIds = requireUuids(request.orderIds);
      const pageSize = pageSizeOf(request);
      const rows = await listHeads(db, { ...request, orderIds, pageSize });
      return {
        heads: rows.map(head),
        nextOrderId: orderIds.length === 0 && rows.length === pageSize ? rows.at(-1)!.id : '',
      };
    },
    listUnreportedEvents: async (request) => {
      const pageSize = pageSizeOf(request);
      const rows = await listUnreported(db, {
        after: readToken(request.pageToken),
        minAgeMs: Math.min(Number(request.minAgeMs), minAgeMaxMs),
        pageSize,
      });
      return {
        events: rows.map(({ orderId, sequence, ageMs }) => ({
          orderId,
          sequence,
          ageMs: BigInt(ageMs),
        })),
        nextPageToken: rows.length === pageSize ? writeToken(rows.at(-1)!) : '',
      };
    },
  });

const pageSizeOf = (request: ListHeadsRequest | ListUnreportedEventsRequest): number =>
  Math.min(request.pageSize || pageSizeDefault, pageSizeMax);

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

const head = (row: HeadRow) => ({
  orderId: row.id,
  status: row.status,
  sequence: row.sequence,
  custodySequence: row.custody_sequence,
  custodyHeadHash: row.custody_head_hash,
  digests: (row.digest_sequences ?? []).map((sequence, n) => ({
    sequence,
    digest: row.digests![n]!,
  })),
});
