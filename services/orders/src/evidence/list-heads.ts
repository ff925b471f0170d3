import { greatestUuid, leastUuid, type Sql } from '@pto/database';

export interface HeadRow {
  readonly id: string;
  readonly status: string;
  readonly sequence: number;
  readonly custody_sequence: number;
  readonly custody_head_hash: string;
  /** Of the digests below, ascending; null where there is none or none was requested. */
  readonly digest_sequences: readonly number[] | null;
  readonly digests: readonly Buffer[] | null;
}

export interface HeadsQuery {
  /** Exactly these, where there is at least one; the range is ignored then. */
  readonly orderIds: readonly string[];
  /** Exclusive; empty for the first. */
  readonly afterOrderId: string;
  /** Inclusive; empty for the last. */
  readonly upToOrderId: string;
  readonly pageSize: number;
  readonly withDigests: boolean;
}

/**
 * What orders knows of each chain, in the order of the order ids; only orders with an event. Heads
 * and digests come from one statement, so from one snapshot.
 */
export const listHeads = (sql: Sql, query: HeadsQuery): Promise<HeadRow[]> =>
  query.orderIds.length === 0
    ? sql.query<HeadRow>(
        `${selectHeads(query)} where id > $1 and id <= $2 and sequence > 0 order by id limit $3`,
        [query.afterOrderId || leastUuid, query.upToOrderId || greatestUuid, query.pageSize],
      )
    : sql.query<HeadRow>(
        `${selectHeads(query)} where id = any($1::uuid[]) and sequence > 0 order by id`,
        [query.orderIds],
      );

const selectHeads = ({ withDigests }: HeadsQuery): string =>
  withDigests
    ? `select id, status, sequence, custody_sequence, custody_head_hash, digest_sequences, digests
       from orders left join lateral (
         select array_agg(p.sequence order by p.sequence) as digest_sequences,
           array_agg(p.digest order by p.sequence) as digests
         from produced_events p where p.order_id = orders.id) produced on true`
    : `select id, status, sequence, custody_sequence, custody_head_hash,
         null as digest_sequences, null as digests from orders`;
