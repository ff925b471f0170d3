import { leastUuid, type Sql } from '@pto/database';

/** Where an event is in the order of production. */
export interface ProductionPlace {
  /** As PostgreSQL writes it, with microseconds. */
  readonly producedAt: string;
  readonly orderId: string;
  readonly sequence: number;
}

export interface UnreportedRow extends ProductionPlace {
  /** Milliseconds since the event was produced, by the database's clock; at least 0. */
  readonly ageMs: string;
}

/**
 * Events that custody has not reported back, oldest first: one range of the index
 * `unreported_events_oldest`, however many wait.
 * @param after the last event of the page before.
 */
export const listUnreported = (
  sql: Sql,
  query: { after: ProductionPlace | undefined; minAgeMs: number; pageSize: number },
): Promise<UnreportedRow[]> =>
  sql.query<UnreportedRow>(
    `select produced_at::text as "producedAt", order_id as "orderId", sequence,
       greatest(0, floor(extract(epoch from clock_timestamp() - produced_at) * 1000))::bigint::text
         as "ageMs"
     from unreported_events
     where produced_at <= statement_timestamp() - $1::float8 * interval '1 millisecond'
       and (produced_at, order_id, sequence) > ($2::timestamptz, $3::uuid, $4::int)
     order by produced_at, order_id, sequence limit $5`,
    [
      query.minAgeMs,
      query.after?.producedAt ?? '-infinity',
      query.after?.orderId ?? leastUuid,
      query.after?.sequence ?? 0,
      query.pageSize,
    ],
  );
