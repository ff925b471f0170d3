import { create } from '@bufbuild/protobuf';
import { fragment, isoMillis, type Placeholders, type Sql, statement } from '@pto/database';
import { Failure } from '@pto/errors';
import { type OrganizationEvent, OrganizationEventSchema } from '@pto/proto/custody/v1/custody';
import { tables } from '../schema/ledger-database.ts';

/** A page of an organization's entries in the order of the log (decision 68). */
export interface FeedPage {
  readonly events: readonly OrganizationEvent[];
  readonly hasMore: boolean;
  /**
   * `YYYY-MM-DDTHH:mm:ss.sssZ`. The page and those after it contain every entry that was placed in
   * the log before this time.
   */
  readonly asOf: string;
  /** Number of leaves of the log, read in the same snapshot. */
  readonly logSize: number;
  /** Number of the organization's newest entry, read in the same snapshot; 0 without one. */
  readonly newest: number;
}

/** The most entries of a page. */
const pageMax = 100;

const selectPage = statement(
  (given: Placeholders<{ organizationId: string; after: string; most: number }>) =>
    tables
      .selectFrom('log_state as s')
      .leftJoinLateral(
        (db) =>
          db
            .selectFrom('log_leaves as l')
            .leftJoin('entries as e', (join) =>
              join.onRef('e.order_id', '=', 'l.order_id').onRef('e.sequence', '=', 'l.sequence'),
            )
            .where('l.organization_id', '=', given.organizationId)
            .where('l.number', '>', given.after)
            .orderBy('l.number')
            .limit(given.most)
            .select(['l.number', 'l.leaf_index', 'l.order_id', 'l.sequence', 'l.event_hash'])
            .select(['e.id', 'e.type', 'e.ts_utc', 'e.prev_event_hash'])
            .select(['e.external_id', 'e.order_status', 'e.order_updated_at'])
            .as('p'),
        (join) => join.onTrue(),
      )
      .leftJoin('feed_heads as h', (join) =>
        join.on('h.organization_id', '=', given.organizationId),
      )
      .where('s.one', '=', fragment.lit(true))
      .selectAll('p')
      .select('h.number as newest')
      .select(['s.size as log_size', fragment<string>`statement_timestamp()`.as('as_of')])
      .orderBy('p.number'),
);

/**
 * Reads a page by one statement. The events follow `after` without a gap.
 * @param limit 1 to 100.
 * @throws Failure INTERNAL if the ledger has lost a leaf or an entry of the page: no event is left
 *   out silently.
 */
export const readPage = async (
  sql: Sql,
  of: { readonly organizationId: string; readonly after: number; readonly limit: number },
): Promise<FeedPage> => {
  const { organizationId, after } = of;
  const limit = Math.min(Math.max(of.limit, 1), pageMax);
  const rows = await selectPage(sql, { organizationId, after: `${after}`, most: limit + 1 });
  const [first] = rows;
  const found = rows.filter(({ number }) => number !== null);
  const events = found.slice(0, limit).map((row, n) => {
    if (Number(row.number) !== after + n + 1 || row.id === null)
      throw new Failure('INTERNAL', 'The events cannot be read.', {
        cause: `event ${after + n + 1} of organization ${organizationId} is lost`,
      });
    return create(OrganizationEventSchema, {
      number: BigInt(row.number!),
      leafIndex: BigInt(row.leaf_index!),
      orderId: row.order_id!,
      id: row.id,
      type: row.type!,
      tsUtc: row.ts_utc!,
      sequence: row.sequence!,
      prevEventHash: row.prev_event_hash!,
      eventHash: row.event_hash!,
      ...(row.external_id !== null && { externalId: row.external_id }),
      orderStatus: row.order_status ?? '',
      orderUpdatedAt: row.order_updated_at ?? '',
    });
  });
  return {
    events,
    hasMore: found.length > limit,
    asOf: isoMillis(first!.as_of),
    logSize: Number(first!.log_size),
    newest: Number(first!.newest ?? 0),
  };
};
