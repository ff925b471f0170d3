import { isUuid, type Sql } from '@pto/database';
import { type DeliveryRow, deliveryColumns, withAttempts } from './delivery-row.ts';

const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export interface DeliveryFilter {
  readonly endpointId: string;
  /** PENDING, DELIVERED or EXHAUSTED; empty for all states. */
  readonly state: string;
  /** An event name of contract 6.1; empty for all events. */
  readonly event?: string;
  /** Id of an order; empty for all orders. */
  readonly orderId?: string;
  /** The page has deliveries with smaller ids than this one; empty for the first page. */
  readonly beforeId: string;
  readonly limit?: number;
}

/**
 * Returns a page of an endpoint's deliveries, newest first, and `nextId`: `beforeId` of the next
 * page, or empty. The filters by state and event have indexes in this order. A filter by order
 * reads all deliveries of the order, which are few.
 */
export const listDeliveries = async (sql: Sql, filter: DeliveryFilter) => {
  const { endpointId, state, event = '', orderId = '', limit = 50 } = filter;
  const before = filter.beforeId || last;
  if (![endpointId, before, orderId || last].every(isUuid)) return { deliveries: [], nextId: '' };
  const more = [event, orderId].filter((value) => value !== '');
  const also = [
    ...(event === '' ? [] : ['and d.event = $4::text']),
    ...(orderId === '' ? [] : [`and d.order_id = $${3 + more.length}::uuid`]),
  ].join(' ');
  const rows = await sql.query<DeliveryRow>(
    `select ${deliveryColumns} from (${stretches(state, also).join(' union all ')}) d
     left join pending_deliveries p on p.delivery_id = d.id
     order by d.id desc limit $3::int`,
    [endpointId, before, limit + 1, ...more],
  );
  const page = rows.slice(0, limit);
  return {
    deliveries: await withAttempts(sql, page),
    nextId: rows.length > limit ? page.at(-1)!.id : '',
  };
};

/**
 * Returns one SQL query for each index that contains deliveries of the state, newest first. `$1` is
 * the endpoint's id, `$2` the id before which the page begins, `$3` the maximum of rows.
 */
const stretches = (state: string, also: string): string[] => {
  const history = (condition: string) => `(select d.* from deliveries d
    where d.endpoint_id = $1::uuid and d.id < $2::uuid and ${condition} ${also}
    order by d.id desc limit $3::int)`;
  const queued = 'select from pending_deliveries q where q.delivery_id = d.id';
  switch (state) {
    case 'PENDING':
      return [
        `(select d.* from pending_deliveries q join deliveries d on d.id = q.delivery_id
          where q.endpoint_id = $1::uuid and q.delivery_id < $2::uuid ${also}
          order by q.delivery_id desc limit $3::int)`,
      ];
    case 'DELIVERED':
      return [history(`d.state <> 'EXHAUSTED' and not exists (${queued})`)];
    case 'EXHAUSTED':
      return [history(`d.state = 'EXHAUSTED'`)];
    default:
      return [history(`d.state <> 'EXHAUSTED'`), history(`d.state = 'EXHAUSTED'`)];
  }
};
