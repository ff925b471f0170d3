import { isUuid, type Sql } from '@pto/database';
import { type DeliveryRow, deliveryColumns, withAttempts } from './delivery-row.ts';

const pageSize = 50;
const states = ['PENDING', 'DELIVERED', 'EXHAUSTED'];
const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * An endpoint's deliveries, newest first, a page at a time. Each state has its own stretch of the
 * index; without a state asked for, a page of each is read and the newest are taken.
 * @param state one of the three, or empty for all. @param beforeId empty for the first page.
 */
export const listDeliveries = async (
  sql: Sql,
  { endpointId, state, beforeId }: { endpointId: string; state: string; beforeId: string },
) => {
  const before = beforeId || last;
  if (!isUuid(endpointId) || !isUuid(before)) return { deliveries: [], nextId: '' };
  const rows = await sql.query<DeliveryRow>(
    `select ${deliveryColumns} from unnest($1::text[]) as s (state)
     cross join lateral (select * from deliveries
       where endpoint_id = $2::uuid and state = s.state and id < $3::uuid
       order by id desc limit $4::int) d
     left join pending_deliveries p on p.delivery_id = d.id
     order by d.id desc limit $4::int`,
    [state === '' ? states : [state], endpointId, before, pageSize + 1],
  );
  const page = rows.slice(0, pageSize);
  return {
    deliveries: await withAttempts(sql, page),
    nextId: rows.length > pageSize ? page.at(-1)!.id : '',
  };
};
