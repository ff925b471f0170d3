import type { Sql } from '@pto/database';

export interface HeadRow {
  readonly id: string;
  readonly status: string;
  readonly sequence: number;
  readonly custody_sequence: number;
  readonly custody_head_hash: string;
}

const firstId = '00000000-0000-0000-0000-000000000000';
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** A page of what orders knows of each chain, in the order of the order ids. */
export const listHeads = (
  sql: Sql,
  query: { orderId: string; afterOrderId: string; upToOrderId: string; pageSize: number },
): Promise<HeadRow[]> =>
  query.orderId === ''
    ? sql.query<HeadRow>(
        `select id, status, sequence, custody_sequence, custody_head_hash from orders
         where id > $1 and id <= $2 and sequence > 0 order by id limit $3`,
        [query.afterOrderId || firstId, query.upToOrderId || lastId, query.pageSize],
      )
    : sql.query<HeadRow>(
        `select id, status, sequence, custody_sequence, custody_head_hash from orders
         where id = $1 and sequence > 0`,
        [query.orderId],
      );
