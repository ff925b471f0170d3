import { fromBinary } from '@bufbuild/protobuf';
import type { IncomingMessage } from '@pto/bus';
import { execute, greatestUuid, leastUuid, overRows, type Sql } from '@pto/database';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import { type Rows, tables } from '../schema/tables.ts';

const record = overRows({ order_id: 'uuid', sequence: 'int', hash: 'text' }, (rows) =>
  tables
    .with(
      (cte) => cte('reported').materialized(),
      (db) =>
        db
          .selectFrom(rows('r'))
          .distinctOn('r.order_id')
          .select(['r.order_id', 'r.sequence', 'r.hash'])
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
        .whereRef('o.id', '=', 'r.order_id')
        .whereRef('o.custody_sequence', '<', 'r.sequence'),
    )
    .deleteFrom('unreported_events as u')
    .using('reported as r')
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
    order_id: event!.orderId,
    sequence,
    hash: eventHash,
  }));
  await record(sql, rows);
};

const columns = ['id', 'status', 'sequence', 'custody_sequence', 'custody_head_hash'] as const;

export interface HeadRow extends Pick<Rows['orders'], (typeof columns)[number]> {
  /** Event numbers of `digests`, ascending; null if the order has no digest. */
  readonly digest_sequences: readonly number[] | null;
  readonly digests: readonly Buffer[] | null;
}

export interface HeadsQuery {
  /** Selects exactly these orders. If it is empty, the range below applies. */
  readonly orderIds: readonly string[];
  /** Start of the range, exclusive; empty: no lower bound. */
  readonly afterOrderId: string;
  /** End of the range, inclusive; empty: no upper bound. */
  readonly upToOrderId: string;
  readonly pageSize: number;
}

/**
 * Lists orders that have at least one event, sorted by order id, each with the head that custody
 * has reported. Its number is 0 before custody's first report. Heads and event digests come from
 * one statement, so from one snapshot.
 */
export const listHeads = (sql: Sql, query: HeadsQuery): Promise<HeadRow[]> =>
  execute(
    sql,
    selectHeads(query)
      .leftJoinLateral(
        ({ selectFrom }) =>
          selectFrom('produced_events as p')
            .select(({ fn }) => [
              fn
                .agg<number[]>('array_agg', ['p.sequence'])
                .orderBy('p.sequence')
                .as('digest_sequences'),
              fn.agg<Buffer[]>('array_agg', ['p.digest']).orderBy('p.sequence').as('digests'),
            ])
            .whereRef('p.order_id', '=', 'orders.id')
            .as('produced'),
        (join) => join.onTrue(),
      )
      .select(['digest_sequences', 'digests']),
  );

const selectHeads = ({ orderIds, afterOrderId, upToOrderId, pageSize }: HeadsQuery) => {
  const heads = tables.selectFrom('orders').select(columns).where('sequence', '>', 0).orderBy('id');
  if (orderIds.length > 0)
    return heads.where(({ eb, fn, val }) => eb('id', '=', fn.any(val(orderIds))));
  return heads
    .where('id', '>', afterOrderId || leastUuid)
    .where('id', '<=', upToOrderId || greatestUuid)
    .limit(pageSize);
};
