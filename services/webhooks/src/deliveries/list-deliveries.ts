import { isUuid, type Sql } from '@pto/database';
import { type DeliveryRow, deliveryColumns, withAttempts } from './delivery-row.ts';

const states = ['PENDING', 'DELIVERED', 'EXHAUSTED'];
const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export interface DeliveryFilter {
  readonly endpointId: string;
  /** One of the three, or empty for all. */
  readonly state: string;
  /** A name of contract 6.1, or empty for all. */
  readonly event?: string;
  /** Empty for all. */
  readonly orderId?: string;
  /** Empty for the first page. */
  readonly beforeId: string;
  readonly limit?: number;
}

/**
 * An endpoint's deliveries, newest first, a page at a time, each filter by an index of its own.
 * Each state has its own stretch of the index; without a state asked for, a page of each is read
 * and the newest are taken. An order's are few, whatever else is asked.
 */
export const listDeliveries = async (sql: Sql, filter: DeliveryFilter) => {
  const { endpointId, state, event = '', orderId = '', limit = 50 } = filter;
  const before = filter.beforeId || last;
  if (![endpointId, before, orderId || last].every(isUuid)) return { deliveries: [], nextId: '' };
  const rows = await sql.query<DeliveryRow>(
    `select ${deliveryColumns} from unnest($1::text[]) as s (state)
     cross join lateral (select * from deliveries
       where endpoint_id = $2::uuid and state = s.state and id < $3::uuid
         ${event === '' ? '' : 'and event = $5'}${orderId === '' ? '' : ` and order_id = $${event === '' ? 5 : 6}`}
       order by id desc limit $4::int) d
     left join pending_deliveries p on p.delivery_id = d.id
     order by d.id desc limit $4::int`,
    [
      state === '' ? states : [state],
      endpointId,
      before,
      limit + 1,
      ...[event, orderId].filter((value) => value !== ''),
    ],
  );
  const page = rows.slice(0, limit);
  return {
    deliveries: await withAttempts(sql, page),
    nextId: rows.length > limit ? page.at(-1)!.id : '',
  };
};
