import { execute, isoMillis, type Sql } from '@pto/database';
import { type Rows, tables } from '../schema/tables.ts';

/**
 * SQL: state of the delivery `d` with its queue row `p`. Only EXHAUSTED is stored; a delivery that
 * is neither EXHAUSTED nor queued was delivered (migration `streams`).
 */
const stateColumn = `case when d.state = 'EXHAUSTED' then 'EXHAUSTED'
  when p.delivery_id is not null then 'PENDING' else 'DELIVERED' end`;

/**
 * SQL columns of a delivery for the operator. `due_at` is null if the delivery is not queued.
 * During an attempt it is the attempt's start, after a lost lease the end of the pause.
 */
export const deliveryColumns = `d.id, d.endpoint_id, d.order_id, d.event, ${stateColumn} as state, d.reason,
  d.replay_of, d.sequence, d.created_at::text as created_at,
  case when p.lease_until > now() then p.leased_at
    when p.lease_until is not null then greatest(p.due_at, p.due_if_lost_at)
    else p.due_at end::text as due_at`;

export const deliveryTables = 'deliveries d left join pending_deliveries p on p.delivery_id = d.id';

type Plain = 'id' | 'endpoint_id' | 'order_id' | 'event' | 'reason' | 'replay_of' | 'sequence';

export interface DeliveryRow extends Pick<Rows['deliveries'], Plain | 'created_at'> {
  readonly state: string;
  readonly due_at: string | null;
}

const attemptColumns = ['delivery_id', 'at', 'status_code', 'error', 'duration_ms'] as const;

type AttemptRow = Pick<Rows['attempts'], (typeof attemptColumns)[number]>;

/** A delivery for the operator, with the exact errors of its attempts. */
export type DeliveryMessage = Awaited<ReturnType<typeof withAttempts>>[number];

/** Returns the rows as messages, each with its attempts in their order. */
export const withAttempts = async (sql: Sql, rows: readonly DeliveryRow[]) => {
  const ids = rows.map(({ id }) => id);
  const attempts: AttemptRow[] = await execute(
    sql,
    tables
      .selectFrom('attempts')
      .select(attemptColumns)
      .where(({ eb, fn, val }) => eb('delivery_id', '=', fn.any(val(ids))))
      .orderBy('delivery_id')
      .orderBy('number'),
  );
  const byDelivery = Map.groupBy(attempts, (attempt) => attempt.delivery_id);
  return rows.map((row) => ({
    id: row.id,
    endpointId: row.endpoint_id,
    orderId: row.order_id,
    event: row.event,
    state: row.state,
    reason: row.reason,
    replayOf: row.replay_of ?? '',
    sequence: Number(row.sequence),
    createdAt: isoMillis(row.created_at),
    dueAt: row.due_at === null ? '' : isoMillis(row.due_at),
    attempts: (byDelivery.get(row.id) ?? []).map(attemptMessage),
  }));
};

const attemptMessage = (row: AttemptRow) => ({
  at: isoMillis(row.at),
  ...(row.status_code !== null && { statusCode: row.status_code }),
  error: row.error,
  durationMs: row.duration_ms,
});
